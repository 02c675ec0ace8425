import { ApiError } from "../../src/core/errors";

/**
 * Refusal of some work; throws when the work is accepted or fails in another way.
 * (`expect(…).rejects` of Bun 1.4.5 blocks the event loop while it waits, which costs 0.4 s per
 * write.)
 */
export async function refusalOf(work: Promise<unknown>): Promise<ApiError> {
  const outcome = await work.catch((error: unknown) => error);
  if (outcome instanceof ApiError) return outcome;
  throw outcome instanceof Error ? outcome : new Error("It was not refused.");
}
