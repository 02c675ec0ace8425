import type { App } from "../context";
import { rateLimitHit } from "../errors";
import { perServer } from "../per-server";

/**
 * Makes a limit of `max` operations per user that run at a time in this process. The function that
 * it gives counts one operation while `take` runs. Further operations are refused with
 * RATE_LIMIT_HIT, to be tried again in `waitSeconds`.
 */
export function limitPerUser(max: number, waitSeconds: number) {
  const underWay = perServer(() => new Map<number, number>());
  return async <Answer>(
    app: Pick<App, "memory">,
    userId: number,
    take: () => Promise<Answer>,
  ): Promise<Answer> => {
    const counts = underWay.of(app);
    const count = counts.get(userId) ?? 0;
    if (count >= max) throw rateLimitHit(waitSeconds);
    counts.set(userId, count + 1);
    try {
      return await take();
    } finally {
      const left = (counts.get(userId) ?? 1) - 1;
      if (left > 0) counts.set(userId, left);
      else counts.delete(userId);
    }
  };
}
