import type { Clock } from "../core/clock";
import { badRequest } from "../core/errors";

/** A body of which nothing arrives for this long, or twice as long, is given up. */
const silenceMilliseconds = 60_000;

/**
 * The bytes of a request's body as they arrive; the client is held back as long as the reader is busy. Refuses a body that
 * the client breaks off or lets hang (BAD_REQUEST).
 */
export async function* bodyChunks(request: Request, clock: Pick<Clock, "every">): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  let isMoving = true;
  const endWatch = clock.every(silenceMilliseconds, () => {
    if (!isMoving) void reader.cancel().catch(() => undefined);
    isMoving = false;
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      isMoving = true;
      yield value;
    }
  } catch (error) {
    throw isBreakOff(error) ? badRequest("The body was broken off.") : error;
  } finally {
    endWatch();
    await reader.cancel().catch(() => undefined);
  }
}

/** Whether an error only says that the client has gone away. */
export const isBreakOff = (error: unknown) => error instanceof Error && error.name === "AbortError";
