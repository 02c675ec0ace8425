/**
 * Number of requests allowed in a time: all of them at once, and they grow back evenly within
 * `seconds`.
 */
interface Allowance {
  capacity: number;
  seconds: number;
}

/** Rest of somebody's allowance, as of a moment (UNIX seconds). */
export interface Bucket {
  readonly allowance: Allowance;
  tokens: number;
  at: number;
}

/** Seconds until a bucket holds this much; 0 if it does. */
export function secondsUntil({ tokens, allowance }: Bucket, level: number): number {
  return tokens >= level
    ? 0
    : Math.ceil(((level - tokens) * allowance.seconds) / allowance.capacity);
}

/** Number of buckets in each of two generations; the least recently used ones are dropped first. */
const bucketsMax = 50_000;

/**
 * The buckets of all keys that an allowance applies to, in memory. A bucket that is not used for
 * the time in which it fills up is dropped, because it would be full. A bucket is kept for twice
 * `seconds`, because it may be as far below zero as it can hold. When there are too many buckets,
 * those below zero are dropped last.
 */
export class TokenBuckets<Key> {
  private readonly allowance: Allowance;
  private readonly countMax: number;
  private young = new Map<Key, Bucket>();
  private old = new Map<Key, Bucket>();
  private turnsAt = 0;

  constructor(allowance: Allowance, countMax = bucketsMax) {
    this.allowance = allowance;
    this.countMax = countMax;
  }

  /** Somebody's bucket, filled up to now. */
  of(key: Key, now: number): Bucket {
    if (now >= this.turnsAt) this.turn(now);
    const bucket = this.young.get(key) ?? this.keep(key, now);
    if (now !== bucket.at) fill(bucket, now);
    return bucket;
  }

  /** Number of buckets in memory. */
  get size(): number {
    return this.young.size + this.old.size;
  }

  private keep(key: Key, now: number): Bucket {
    if (this.young.size >= this.countMax) this.turn(now);
    const bucket = this.old.get(key) ?? {
      allowance: this.allowance,
      tokens: this.allowance.capacity,
      at: now,
    };
    this.old.delete(key);
    this.young.set(key, bucket);
    return bucket;
  }

  private turn(now: number) {
    const owing = this.old.entries().filter(([, bucket]) => isOwing(bucket, now));
    const kept = new Map(owing.take(Math.floor(this.countMax / 2)));
    this.old = this.young;
    this.young = kept;
    this.turnsAt = now + 2 * this.allowance.seconds;
  }
}

function isOwing(bucket: Bucket, now: number): boolean {
  fill(bucket, now);
  return bucket.tokens < 0;
}

function fill(bucket: Bucket, now: number) {
  const { capacity, seconds } = bucket.allowance;
  const grown = (Math.max(0, now - bucket.at) * capacity) / seconds;
  bucket.tokens = Math.min(capacity, bucket.tokens + grown);
  bucket.at = now;
}
