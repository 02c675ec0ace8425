/** Ports below those that systems give to connections, and to servers that take any port. */
const lowest = 10_000;
const highest = 32_000;

/**
 * A port of this machine on which nobody listens, and which the system does not assign by chance:
 * for programs that need a given port.
 */
export function freePort(): number {
  const port = lowest + Math.floor(Math.random() * (highest - lowest));
  try {
    const socket = { data: () => undefined };
    Bun.listen({ hostname: "127.0.0.1", port, socket }).stop(true);
    return port;
  } catch {
    return freePort();
  }
}
