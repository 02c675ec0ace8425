/**
 * The time limit of reads, because a read that hangs would hold up everything that waits for it.
 */
const readMilliseconds = 20_000;
/**
 * The time limit of changes, which may take the server longer, for example a move of many messages.
 */
export const changeMilliseconds = 60_000;
/** The time limit of a picture's upload: enough for 5 MiB over a connection of 70 kbit/s. */
export const pictureMilliseconds = 600_000;

/** A signal that aborts a request when it takes too long, or when the given signal aborts. */
export function timeLimit(
  signal: AbortSignal | null = null,
  milliseconds = readMilliseconds,
): AbortSignal {
  const limit = AbortSignal.timeout(milliseconds);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}
