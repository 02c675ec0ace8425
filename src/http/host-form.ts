import type { ApiError } from "../core/errors";
import { badRequest } from "../core/errors";

/** Greatest length of a name of the domain name system (RFC 1035, 2.3.4), with a dot and a port. */
const hostLengthMax = 260;
/** Characters that would end the host in an address, or begin something else. */
const notInHosts = /[\s/?#@\\]/;

/** The last host that passed the check, because most requests name one host. */
let lastHost = "";

/**
 * The refusal (BAD_REQUEST) of a request whose header `Host` can be no host (RFC 9112, 3.2),
 * because addresses are made of it, and organizations are remembered by it; undefined for others. A
 * client without that header names no host.
 */
export function refusalOfHost({ headers }: Pick<Request, "headers">): ApiError | undefined {
  const host = headers.get("host") ?? "";
  if (host === lastHost) return undefined;
  const isHost =
    host === "" ||
    (host.length <= hostLengthMax && !notInHosts.test(host) && URL.canParse(`http://${host}`));
  if (!isHost) return badRequest("The header Host names no host.");
  lastHost = host;
  return undefined;
}
