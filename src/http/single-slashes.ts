/** A place in an address after `http://` or `https://`, and not after the host. */
const hostPlace = "https://".length;

/**
 * Whether the path of an address has several slashes in a row. Slashes of the query, and those that
 * are percent-encoded, do not count.
 */
export function hasDoubledSlash(url: string): boolean {
  const doubled = url.indexOf("//", hostPlace);
  return doubled >= 0 && doubled < endOfPath(url);
}

/**
 * Gives a request the address that it would have with one slash where its path has several. The
 * request itself is changed, because Bun knows the connection of that object alone.
 */
export function mergeSlashes(request: Request): Request {
  const { url } = request;
  const end = endOfPath(url);
  const merged = url.slice(hostPlace, end).replace(/\/{2,}/g, "/");
  const value = url.slice(0, hostPlace) + merged + url.slice(end);
  return Object.defineProperty(request, "url", { value, configurable: true });
}

function endOfPath(url: string): number {
  const length = url.slice(hostPlace).search(/[?#]/);
  return length < 0 ? url.length : hostPlace + length;
}
