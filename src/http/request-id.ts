import { type Networks, plainAddress } from "../core/address";

/** Printable ASCII without spaces, as proxies make ids: longer ones are nobody's. */
const usableId = /^[\x21-\x7e]{1,128}$/;

/**
 * The id of a request for its answer and for the log: that of `X-Request-Id` where a trusted proxy
 * has put it there, else a new one. Anybody else could give two requests one id.
 */
export function requestIdOf(
  request: Request,
  peer: (request: Request) => string,
  trusted: Networks | undefined,
): string {
  if (trusted === undefined) return crypto.randomUUID();
  const given = request.headers.get("x-request-id");
  return given !== null && usableId.test(given) && trusted.has(plainAddress(peer(request)))
    ? given
    : crypto.randomUUID();
}
