import type { Config } from "../config";
import type { Actor, Person } from "../core/context";
import { rateLimitHit } from "../core/errors";
import { type Bucket, secondsUntil, TokenBuckets } from "../core/token-buckets";
import type { Connection } from "./endpoint";

/** How a request stands with the limits; the headers of its answer say so. */
export interface Standing {
  limit: number;
  remaining: number;
  /** UNIX seconds at which all of the limit will be there again. */
  resetAt: number;
  /** How long to wait before the next try, in seconds; 0 for a request that was let through. */
  waitSeconds: number;
}

/**
 * Counts requests in this process: those of people by their user and by their API key, all others by the address that they
 * came from. A request is let through as long as its buckets hold enough; what is refused takes nothing out of them.
 */
export class RateLimiter {
  private readonly users: TokenBuckets<number> | undefined;
  private readonly keys: TokenBuckets<number> | undefined;
  private readonly addresses: TokenBuckets<string> | undefined;

  constructor(config: Config) {
    this.users = bucketsOf(config.requestsPerMinutePerUser);
    this.keys = bucketsOf(config.requestsPerMinutePerKey);
    this.addresses = bucketsOf(config.requestsPerMinutePerAddress);
  }

  /** Counts a request of somebody who has signed in; undefined where nothing limits it. */
  countPerson({ user, apiKeyId }: Person, cost: number, now: number): Standing | undefined {
    return count(this.users?.of(user.id, now), this.keys?.of(apiKeyId, now), cost, now);
  }

  /** Counts a request of somebody who has not signed in. The address is only looked for where it matters. */
  countStranger(connection: Pick<Connection, "address">, cost: number, now: number): Standing | undefined {
    return count(this.addresses?.of(connection.address(), now), undefined, cost, now);
  }
}

const bucketsOf = <Key>(capacity: number) =>
  capacity === 0 ? undefined : new TokenBuckets<Key>({ capacity, seconds: 60 });

/** Takes from both buckets, or, where one has too little, from none. */
function count(one: Bucket | undefined, other: Bucket | undefined, cost: number, now: number): Standing | undefined {
  const waitSeconds = Math.max(one ? secondsUntil(one, cost) : 0, other ? secondsUntil(other, cost) : 0);
  if (waitSeconds === 0) {
    if (one) one.tokens -= cost;
    if (other) other.tokens -= cost;
  }
  const tighter = one && other ? (one.tokens < other.tokens ? one : other) : (one ?? other);
  return tighter && standing(tighter, now, waitSeconds);
}

const standing = (bucket: Bucket, now: number, waitSeconds: number): Standing => ({
  limit: bucket.allowance.capacity,
  remaining: Math.floor(bucket.tokens),
  resetAt: now + secondsUntil(bucket, bucket.allowance.capacity),
  waitSeconds,
});

/** The counting of a request that is under way. */
export interface Count {
  readonly limiter: RateLimiter;
  /** How many requests it stands for. */
  cost: number;
  readonly connection: Pick<Connection, "address">;
  standing: Standing | undefined;
  isDone: boolean;
}

/** Counts a request, once; refuses it (RATE_LIMIT_HIT, 429) when there were too many. */
export function countRequest(counted: Count, actor: Actor, now: number) {
  const { limiter, cost, connection } = counted;
  counted.isDone = true;
  counted.standing =
    "user" in actor && actor.kind !== "spectator"
      ? limiter.countPerson(actor, cost, now)
      : limiter.countStranger(connection, cost, now);
  const { waitSeconds = 0 } = counted.standing ?? {};
  if (waitSeconds > 0) throw rateLimitHit(waitSeconds);
}

/**
 * What a request is refused with. One that is refused before it is known whose it is counts for the address, which is told
 * so once there were too many.
 */
export function countRefused(counted: Count, error: unknown, now: number): unknown {
  if (counted.isDone) return error;
  try {
    countRequest(counted, { kind: "anonymous" }, now);
    return error;
  } catch (refusal) {
    return refusal;
  }
}
