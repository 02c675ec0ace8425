import type { Config } from "../config";
import type { Actor, Person } from "../core/context";
import type { Connection } from "../core/endpoint";
import { rateLimitHit } from "../core/errors";
import { type Bucket, secondsUntil, TokenBuckets } from "../core/token-buckets";
import type { Holder } from "./known-signatures";

/** State of the limits for a request, which the headers of its answer tell. */
export interface Standing {
  limit: number;
  remaining: number;
  /** UNIX seconds at which all of the limit will be there again. */
  resetAt: number;
  /** Seconds to wait before the next try; 0 for a request that was let through. */
  waitSeconds: number;
}

/**
 * Kinds of requests without a good signature: it has none, it has one that is not known to be good,
 * or it asks for a picture, which takes none.
 */
type Nobody = "unsigned" | "unproven" | "picture";

/**
 * Counts requests in this process: requests of people by their user and by their API key, all
 * others by their address. Each kind has its own bucket at an address: requests without a signature
 * cannot use up the requests of people whose signature is new here, and the pictures of a large
 * organization cannot use up the sign-ins of its people. A request is allowed as long as its
 * buckets hold enough; a refused request takes nothing from them.
 */
export class RateLimiter {
  private readonly users: TokenBuckets<number> | undefined;
  private readonly keys: TokenBuckets<number> | undefined;
  private readonly addresses: Readonly<Record<Nobody, TokenBuckets<string> | undefined>>;

  constructor(config: Config) {
    this.users = bucketsOf(config.requestsPerMinutePerUser);
    this.keys = bucketsOf(config.requestsPerMinutePerKey);
    const perAddress = () => bucketsOf<string>(config.requestsPerMinutePerAddress);
    this.addresses = { unsigned: perAddress(), unproven: perAddress(), picture: perAddress() };
  }

  /** Counts a request of somebody who has signed in; undefined where nothing limits it. */
  countPerson({ user, apiKeyId }: Person, cost: number, now: number): Standing | undefined {
    return count(this.users?.of(user.id, now), this.keys?.of(apiKeyId, now), cost, now);
  }

  /**
   * State of the limits for somebody who was signed in a while ago, if they sent this request.
   * Takes nothing out of their buckets.
   */
  askPerson({ userId, apiKeyId }: Holder, cost: number, now: number): Standing | undefined {
    return ask(this.users?.of(userId, now), this.keys?.of(apiKeyId, now), cost, now);
  }

  /** Counts a request of nobody who is known. The address is only looked for where it matters. */
  countNobody(
    who: Nobody,
    connection: Pick<Connection, "address">,
    cost: number,
    now: number,
  ): Standing | undefined {
    return count(this.addresses[who]?.of(connection.address(), now), undefined, cost, now);
  }

  /** Takes more from somebody for a request that was let through, though there be too little. */
  chargePerson({ user, apiKeyId }: Person, cost: number, now: number): Standing | undefined {
    return charge(this.users?.of(user.id, now), this.keys?.of(apiKeyId, now), cost, now);
  }

  /** Counts a request of somebody unknown, and tells where their address stands. */
  chargeNobody(
    who: Nobody,
    connection: Pick<Connection, "address">,
    cost: number,
    now: number,
  ): Standing | undefined {
    return charge(this.addresses[who]?.of(connection.address(), now), undefined, cost, now);
  }

  /** Gives back what a request was counted with that turned out to be somebody's. */
  giveBack(who: Nobody, connection: Pick<Connection, "address">, cost: number, now: number) {
    const bucket = this.addresses[who]?.of(connection.address(), now);
    if (bucket) bucket.tokens = Math.min(bucket.allowance.capacity, bucket.tokens + cost);
  }
}

const bucketsOf = <Key>(capacity: number) =>
  capacity === 0 ? undefined : new TokenBuckets<Key>({ capacity, seconds: 60 });

/** Takes from both buckets, or, where one has too little, from none. */
function count(
  one: Bucket | undefined,
  other: Bucket | undefined,
  cost: number,
  now: number,
): Standing | undefined {
  if (waitFor(one, other, cost) === 0) {
    if (one) one.tokens -= cost;
    if (other) other.tokens -= cost;
    return ask(one, other, 0, now);
  }
  return ask(one, other, cost, now);
}

/** Takes from both buckets: what they do not hold is owed, as much as they can hold at the most. */
function charge(
  one: Bucket | undefined,
  other: Bucket | undefined,
  cost: number,
  now: number,
): Standing | undefined {
  for (const bucket of [one, other]) {
    if (bucket) bucket.tokens = Math.max(-bucket.allowance.capacity, bucket.tokens - cost);
  }
  return ask(one, other, 0, now);
}

const waitFor = (one: Bucket | undefined, other: Bucket | undefined, cost: number) =>
  Math.max(one ? secondsUntil(one, cost) : 0, other ? secondsUntil(other, cost) : 0);

/** State of the limits for a request that would take so much from both buckets. */
function ask(
  one: Bucket | undefined,
  other: Bucket | undefined,
  cost: number,
  now: number,
): Standing | undefined {
  const waitSeconds = waitFor(one, other, cost);
  const tighter = one && other ? (one.tokens < other.tokens ? one : other) : (one ?? other);
  return tighter && standing(tighter, now, waitSeconds);
}

const standing = (bucket: Bucket, now: number, waitSeconds: number): Standing => ({
  limit: bucket.allowance.capacity,
  remaining: Math.max(0, Math.floor(bucket.tokens)),
  resetAt: now + secondsUntil(bucket, bucket.allowance.capacity),
  waitSeconds,
});

/** The counting of a request that is under way. */
export interface Count {
  readonly limiter: RateLimiter;
  /** Number of requests that it counts for. */
  cost: number;
  readonly connection: Pick<Connection, "address">;
  /** The kind that it is counted as until its sender is known. */
  who: Nobody;
  standing: Standing | undefined;
  isDone: boolean;
  /** The charge of its address when it arrived, until its sender is known. */
  held: number;
}

export const beginCount = (
  limiter: RateLimiter,
  connection: Pick<Connection, "address">,
  who: "unsigned" | "picture",
): Count => ({ limiter, connection, cost: 1, who, standing: undefined, isDone: false, held: 0 });

/**
 * The cost of a request whose sender is not known yet. One is enough, because verbs that cost more
 * are for people alone.
 */
const unknownCostMax = 1;

/**
 * Asks the limits when a request arrives, before its body is read and before anything is looked up;
 * refuses it (RATE_LIMIT_HIT, 429) where there were too many. One whose signature was good a while
 * ago is asked for under its holder. Every other is charged to its address, so that no more are
 * looked up at a time than the address has left.
 */
export function admit(counted: Count, holder: Holder | undefined, now: number) {
  const { limiter, cost, who, connection } = counted;
  const held = Math.min(cost, unknownCostMax);
  counted.standing = holder
    ? limiter.askPerson(holder, cost, now)
    : limiter.countNobody(who, connection, held, now);
  const { waitSeconds = 0 } = counted.standing ?? {};
  if (waitSeconds > 0) {
    counted.isDone = true;
    throw rateLimitHit(waitSeconds);
  }
  if (!holder) counted.held = held;
}

/**
 * Counts a request whose sender is known, once; refuses it (RATE_LIMIT_HIT, 429) when there were
 * too many.
 */
export function countRequest(counted: Count, actor: Actor, now: number) {
  const { limiter, cost, who, connection } = counted;
  counted.isDone = true;
  giveBackHeld(counted, now);
  counted.standing =
    "user" in actor && actor.kind !== "spectator"
      ? limiter.countPerson(actor, cost, now)
      : limiter.countNobody(who, connection, cost, now);
  const { waitSeconds = 0 } = counted.standing ?? {};
  if (waitSeconds > 0) throw rateLimitHit(waitSeconds);
}

/**
 * Refunds an address for a request that was charged to it on arrival, because the person is known
 * now, or because nobody is to blame.
 */
export function giveBackHeld(counted: Count, now: number) {
  const { limiter, who, connection, held } = counted;
  if (held > 0) limiter.giveBack(who, connection, held, now);
  counted.held = 0;
}

/**
 * Number of bytes of an answer that count as one request. Most answers of register and most pages
 * of a hundred messages are shorter.
 */
export const answerBytesPerRequest = 256 * 1024;

/**
 * Charges a request that was carried out for the part of its answer that costs more than one
 * request. Its standing may be a debt.
 */
export function chargeAnswer(counted: Count, actor: Actor, sizeBytes: number, now: number) {
  const { limiter, who, connection } = counted;
  const more = Math.ceil(sizeBytes / answerBytesPerRequest) - 1;
  if (more <= 0) return;
  const isPerson = "user" in actor && actor.kind !== "spectator";
  counted.standing = isPerson
    ? limiter.chargePerson(actor, more, now)
    : limiter.chargeNobody(who, connection, more, now);
}

/**
 * Error to refuse a request with, once it is counted. One that is refused before it is known whose
 * it is counts for the address, which is told so once there were too many. Most were charged to it
 * when they arrived.
 */
export function countRefused(counted: Count, error: unknown, now: number): unknown {
  if (counted.isDone || counted.held > 0) return error;
  try {
    countRequest(counted, { kind: "anonymous" }, now);
    return error;
  } catch (refusal) {
    return refusal;
  }
}
