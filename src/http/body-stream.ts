import type { Clock } from "../core/clock";
import { badRequest } from "../core/errors";

/** A body of which nothing arrives for this long, or twice as long, is given up. */
const silenceMilliseconds = 60_000;

/**
 * Slowest pace at which a body may come: so many bytes in a minute at the least, and so many
 * minutes in all.
 */
export interface Pace {
  bytesPerMinute: number;
  minutesMax: number;
}

/**
 * Pace of a telephone line at the least, and six hours at the most: uploads in several requests may
 * take longer.
 */
export const uploadPace: Pace = { bytesPerMinute: 61_440, minutesMax: 360 };
const anyPace: Pace = { bytesPerMinute: 1, minutesMax: Number.POSITIVE_INFINITY };

/**
 * The bytes of a request's body as they arrive; the client is held back as long as the reader is
 * busy. Refuses a body that the client breaks off, lets hang, or sends too slowly (BAD_REQUEST).
 */
export async function* bodyChunks(
  request: Request,
  clock: Pick<Clock, "every">,
  pace = anyPace,
): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  const watch = watchPace(clock, pace, () => void reader.cancel().catch(() => undefined));
  try {
    for (;;) {
      watch.begin();
      const { done, value } = await reader.read();
      if (watch.isTooSlow())
        throw badRequest("The body came too slowly, or not at all any more. Send it again.");
      if (done) return;
      watch.note(value.byteLength);
      yield value;
    }
  } catch (error) {
    throw isBreakOff(error) ? badRequest("The body was broken off.") : error;
  } finally {
    watch.end();
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Looks once a minute how much has come; who reads slowly themselves is not counted against the
 * client.
 */
function watchPace(
  clock: Pick<Clock, "every">,
  { bytesPerMinute, minutesMax }: Pace,
  giveUp: () => void,
) {
  let bytes = bytesPerMinute;
  let minutes = 0;
  let isTooSlow = false;
  let isWaiting = false;
  const end = clock.every(silenceMilliseconds, () => {
    minutes += 1;
    if ((isWaiting && bytes < bytesPerMinute) || minutes >= minutesMax) {
      isTooSlow = true;
      giveUp();
    }
    bytes = 0;
  });
  return {
    end,
    isTooSlow: () => isTooSlow,
    begin() {
      isWaiting = true;
    },
    note(count: number) {
      isWaiting = false;
      bytes += count;
    },
  };
}

/** Whether an error only says that the client has gone away. */
export const isBreakOff = (error: unknown) => error instanceof Error && error.name === "AbortError";
