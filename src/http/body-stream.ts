import { type Clock, systemClock } from "../core/clock";
import { badRequest } from "../core/errors";

/** A body of which nothing arrives for this long, or for up to twice as long, is given up. */
const silenceMilliseconds = 60_000;

/** Slowest accepted pace of a body: the fewest bytes per minute, and the most minutes in all. */
export interface Pace {
  bytesPerMinute: number;
  minutesMax: number;
}

/**
 * At least the pace of a telephone line, and at most six hours. An upload in several requests may
 * take longer.
 */
export const uploadPace: Pace = { bytesPerMinute: 61_440, minutesMax: 360 };
const anyPace: Pace = { bytesPerMinute: 1, minutesMax: Number.POSITIVE_INFINITY };

/**
 * Bytes that are still read from a body that nobody needs any more, because many clients read the
 * answer only after they have sent everything.
 */
const restBytesMax = 67_108_864;
/** Pause after which a client probably waits for its answer. */
const restPauseMilliseconds = 1_000;

/** Requests whose bodies were not read to their end. */
const leftInMiddle = new WeakSet<Request>();

/** Notes that the rest of a request's body is not read. */
export const leaveBody = (request: Request) => void leftInMiddle.add(request);

/**
 * Closes the connection of a request whose body was not read to its end. Nobody waits for the rest,
 * whatever its size and speed, but Bun would still read it.
 */
export function hangUpOnUnread(request: Request, response: Response): Response {
  const declared = request.headers.get("content-length");
  const hasBody = declared === null ? request.headers.has("transfer-encoding") : declared !== "0";
  if (hasBody && (!request.bodyUsed || leftInMiddle.has(request)))
    response.headers.set("connection", "close");
  return response;
}

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
  let isWhole = false;
  const next = async () => {
    watch.begin();
    const { done, value } = await reader.read();
    if (watch.isTooSlow())
      throw badRequest("The request body arrived too slowly or stopped. Send it again.");
    isWhole = done;
    watch.note(value?.byteLength ?? 0);
    return value;
  };
  try {
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
  } catch (error) {
    throw isBreakOff(error) ? badRequest("The body was broken off.") : error;
  } finally {
    if (!isWhole) leaveBody(request);
    if (!isWhole && (await takeRest(next))) leftInMiddle.delete(request);
    watch.end();
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads the rest of a body that nobody needs; answers whether all of it arrived. */
async function takeRest(next: () => Promise<Uint8Array | undefined>): Promise<boolean> {
  const over = { byteLength: restBytesMax };
  for (let bytes = 0; bytes < restBytesMax; ) {
    const { promise: pause, resolve } = Promise.withResolvers<typeof over>();
    const stopWaiting = systemClock.after(restPauseMilliseconds, () => resolve(over));
    const chunk = await Promise.race([next().catch(() => over), pause]).finally(stopWaiting);
    if (!chunk) return true;
    bytes += chunk.byteLength;
  }
  return false;
}

/**
 * Checks once a minute how much has arrived. Time in which the reader itself is slow does not count
 * against the client.
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

/** Whether an error only means that the client has disconnected. */
export const isBreakOff = (error: unknown) => error instanceof Error && error.name === "AbortError";
