/** Reads are answered within so long, because one that hangs would hold up what waits for it. */
const readMilliseconds = 20_000;
/** Changes may keep the server busy for longer, such as a move of many messages. */
export const changeMilliseconds = 60_000;

/** A signal that ends a request when it takes too long, or when the signal given does. */
export function timeLimit(
  signal: AbortSignal | null = null,
  milliseconds = readMilliseconds,
): AbortSignal {
  const limit = AbortSignal.timeout(milliseconds);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}
