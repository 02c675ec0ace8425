import { describe, expect, test } from "bun:test";
import { isFinal, Refusal } from "../../src/web/net/refusal";
import { timeLimit } from "../../src/web/net/time-limit";

describe("a refusal", () => {
  test("is final where the queue or the session has ended, and not where a proxy speaks", () => {
    const isEnd = (status: number, code: string) => isFinal(new Refusal(status, code, ""));
    expect(isEnd(401, "UNAUTHORIZED")).toBe(true);
    expect(isEnd(400, "BAD_EVENT_QUEUE_ID")).toBe(true);
    expect(isEnd(403, "CSRF_FAILED")).toBe(true);
    expect([403, 404, 408, 429, 502].map((status) => isEnd(status, "UNKNOWN"))).toEqual(
      Array.from({ length: 5 }, () => false),
    );
  });
});

describe("a request", () => {
  test("ends when its time is over, and when the signal given does", async () => {
    const given = new AbortController();
    const limit = timeLimit(given.signal);
    expect(limit.aborted).toBe(false);
    given.abort();
    expect(limit.aborted).toBe(true);
    const short = timeLimit(null, 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    short.addEventListener("abort", () => resolve());
    await promise;
    expect(Refusal.of(short.reason).status).toBe(0);
  });
});
