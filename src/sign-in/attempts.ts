import { daySeconds } from "../core/clock";
import type { App } from "../core/context";
import { rateLimitHit } from "../core/errors";
import { perServer } from "../core/per-server";
import { secondsUntil, TokenBuckets } from "../core/turns/token-buckets";
import { lockSeconds } from "./failed-sign-ins";

/**
 * Number of half hours' worth of failures that an address has in a day, so that further guesses are
 * allowed ever more rarely.
 */
const halfHoursPerDay = 4;

/** Remaining attempts by address; attempts are not counted if there is no limit. */
const attempts = perServer(({ config }: Pick<App, "config">) => {
  const capacity = config.failedSignInsPerAddressMax;
  if (capacity === 0) return [];
  return [
    new TokenBuckets<string>({ capacity, seconds: lockSeconds }),
    new TokenBuckets<string>({ capacity: capacity * halfHoursPerDay, seconds: daySeconds }),
  ];
});

/**
 * Takes one of the failed sign-ins that a client's address has left in half an hour and in a day,
 * in this process. Refuses the sign-in if none is left (RATE_LIMIT_HIT). The returned function
 * gives it back, for a sign-in that did not fail.
 */
export function takeAttempt(app: App, address: string, now: number): () => void {
  const buckets = attempts.of(app).map((one) => one.of(address, now));
  const wait = Math.max(0, ...buckets.map((bucket) => secondsUntil(bucket, 1)));
  if (wait > 0) throw rateLimitHit(wait);
  for (const bucket of buckets) bucket.tokens -= 1;
  return () => {
    for (const bucket of buckets)
      bucket.tokens = Math.min(bucket.allowance.capacity, bucket.tokens + 1);
  };
}
