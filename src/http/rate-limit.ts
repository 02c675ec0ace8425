import type { Config } from "../config/config";
import { hasAccount } from "../core/account";
import type { Actor, Person } from "../core/context";
import type { Connection } from "../core/endpoint";
import { rateLimitHit } from "../core/errors";
import { type Bucket, secondsUntil, TokenBuckets } from "../core/turns/token-buckets";
import type { Holder } from "./known-signatures";

/** State of the limits for a request, which the headers of its answer show. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** UNIX seconds at which the limit is completely available again. */
  resetAt: number;
  /** Seconds to wait before the next try; 0 for an allowed request. */
  waitSeconds: number;
}

/**
 * Kinds of requests without a valid signature: it has none, it has an unchecked one, or it asks for
 * a picture, which needs none.
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

  /** Counts a request of a person who has signed in; undefined if there is no limit. */
  countPerson({ user, apiKeyId }: Person, cost: number, now: number): LimitState | undefined {
    return count(this.users?.of(user.id, now), this.keys?.of(apiKeyId, now), cost, now);
  }

  /**
   * State of the limits for a person whose signature was valid recently, if they sent this request.
   * Takes nothing from their buckets.
   */
  askPerson({ userId, apiKeyId }: Holder, cost: number, now: number): LimitState | undefined {
    return ask(this.users?.of(userId, now), this.keys?.of(apiKeyId, now), cost, now);
  }

  /** Counts a request of an unknown sender. The address is determined only if it matters. */
  countNobody(
    who: Nobody,
    connection: Pick<Connection, "address">,
    cost: number,
    now: number,
  ): LimitState | undefined {
    return count(this.addresses[who]?.of(connection.address(), now), undefined, cost, now);
  }

  /** Takes more from a person for a request that was allowed, even if too little is left. */
  chargePerson({ user, apiKeyId }: Person, cost: number, now: number): LimitState | undefined {
    return charge(this.users?.of(user.id, now), this.keys?.of(apiKeyId, now), cost, now);
  }

  /** Counts a request of an unknown sender; answers the state of their address. */
  chargeNobody(
    who: Nobody,
    connection: Pick<Connection, "address">,
    cost: number,
    now: number,
  ): LimitState | undefined {
    return charge(this.addresses[who]?.of(connection.address(), now), undefined, cost, now);
  }

  /** Refunds the address for a request whose sender is now known. */
  giveBack(who: Nobody, connection: Pick<Connection, "address">, cost: number, now: number) {
    const bucket = this.addresses[who]?.of(connection.address(), now);
    if (bucket) bucket.tokens = Math.min(bucket.allowance.capacity, bucket.tokens + cost);
  }
}

const bucketsOf = <Key>(capacity: number) =>
  capacity === 0 ? undefined : new TokenBuckets<Key>({ capacity, seconds: 60 });

/** Takes from both buckets, or from neither if one has too little. */
function count(
  one: Bucket | undefined,
  other: Bucket | undefined,
  cost: number,
  now: number,
): LimitState | undefined {
  if (waitFor(one, other, cost) === 0) {
    if (one) one.tokens -= priceIn(one, cost);
    if (other) other.tokens -= priceIn(other, cost);
    return ask(one, other, 0, now);
  }
  return ask(one, other, cost, now);
}

/** Takes from both buckets. A missing amount becomes a debt, up to the size of a bucket. */
function charge(
  one: Bucket | undefined,
  other: Bucket | undefined,
  cost: number,
  now: number,
): LimitState | undefined {
  for (const bucket of [one, other]) {
    if (bucket) bucket.tokens = Math.max(-bucket.allowance.capacity, bucket.tokens - cost);
  }
  return ask(one, other, 0, now);
}

/**
 * Part of a bucket that a request takes. A request that costs more than a full bucket takes all of
 * it, because it would be refused for ever otherwise.
 */
const priceIn = ({ allowance }: Bucket, cost: number) => Math.min(cost, allowance.capacity);

const waitIn = (bucket: Bucket, cost: number) => secondsUntil(bucket, priceIn(bucket, cost));

const waitFor = (one: Bucket | undefined, other: Bucket | undefined, cost: number) =>
  Math.max(one ? waitIn(one, cost) : 0, other ? waitIn(other, cost) : 0);

/** State of the limits for a request that would take this much from both buckets. */
function ask(
  one: Bucket | undefined,
  other: Bucket | undefined,
  cost: number,
  now: number,
): LimitState | undefined {
  const waitSeconds = waitFor(one, other, cost);
  const tighter = one && other ? (one.tokens < other.tokens ? one : other) : (one ?? other);
  return tighter && limitState(tighter, now, waitSeconds);
}

const limitState = (bucket: Bucket, now: number, waitSeconds: number): LimitState => ({
  limit: bucket.allowance.capacity,
  remaining: Math.max(0, Math.floor(bucket.tokens)),
  resetAt: now + secondsUntil(bucket, bucket.allowance.capacity),
  waitSeconds,
});

/** The counting of a request in progress. */
export interface Count {
  readonly limiter: RateLimiter;
  /** Number of requests that it counts as. */
  cost: number;
  readonly connection: Pick<Connection, "address">;
  /** The kind under which it is counted until its sender is known. */
  who: Nobody;
  limitState: LimitState | undefined;
  isDone: boolean;
  /** The charge of its address when it arrived, until its sender is known. */
  held: number;
}

export const beginCount = (
  limiter: RateLimiter,
  connection: Pick<Connection, "address">,
  who: "unsigned" | "picture",
): Count => ({ limiter, connection, cost: 1, who, limitState: undefined, isDone: false, held: 0 });

/**
 * The cost of a request whose sender is not known yet. One is enough, because only people may call
 * verbs that cost more.
 */
const unknownCostMax = 1;

/**
 * Checks the limits when a request arrives, before its body is read and anything is looked up;
 * refuses it (RATE_LIMIT_HIT, 429) if there were too many. If its signature was valid recently, the
 * limits of the signature's holder are checked. Every other request is charged to its address, so
 * that the number of simultaneous lookups is limited by the address's remaining requests.
 */
export function admit(counted: Count, holder: Holder | undefined, now: number) {
  const { limiter, cost, who, connection } = counted;
  const held = Math.min(cost, unknownCostMax);
  counted.limitState = holder
    ? limiter.askPerson(holder, cost, now)
    : limiter.countNobody(who, connection, held, now);
  const { waitSeconds = 0 } = counted.limitState ?? {};
  if (waitSeconds > 0) {
    counted.isDone = true;
    throw rateLimitHit(waitSeconds);
  }
  if (!holder) counted.held = held;
}

/**
 * Counts a request whose sender is known, once; refuses it (RATE_LIMIT_HIT, 429) if there were too
 * many.
 */
export function countRequest(counted: Count, actor: Actor, now: number) {
  const { limiter, cost, who, connection } = counted;
  counted.isDone = true;
  giveBackHeld(counted, now);
  counted.limitState = hasAccount(actor)
    ? limiter.countPerson(actor, cost, now)
    : limiter.countNobody(who, connection, cost, now);
  const { waitSeconds = 0 } = counted.limitState ?? {};
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
const answerBytesPerRequest = 256 * 1024;

/**
 * Charges a request for the part of its answer that costs more than one request. This may become a
 * debt.
 */
export function chargeAnswer(counted: Count, actor: Actor, sizeBytes: number, now: number) {
  const { limiter, who, connection } = counted;
  const more = Math.ceil(sizeBytes / answerBytesPerRequest) - 1;
  if (more <= 0) return;
  counted.limitState = hasAccount(actor)
    ? limiter.chargePerson(actor, more, now)
    : limiter.chargeNobody(who, connection, more, now);
}

/**
 * Error with which to refuse a request, after counting it. A request that is refused before its
 * sender is known counts for the address, and the answer says so once there were too many. Most
 * were charged to the address when they arrived.
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
