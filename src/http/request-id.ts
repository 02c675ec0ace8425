import { type Networks, plainAddress } from "../core/network/address";

/** Printable ASCII without spaces, as proxies make ids; longer ids are not used. */
const usableId = /^[\x21-\x7e]{1,128}$/;

/**
 * The id of a request for its answer and for the log: the value of `X-Request-Id` if a trusted
 * proxy has set it, otherwise a new one. Anybody else could give two requests one id.
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
