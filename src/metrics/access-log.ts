import type { Log } from "../core/log";
import type { Answered, TrafficWatch } from "../http/traffic";

/**
 * Writes each request into the log, as a line of its own. It names the path as the API declares it,
 * because what is asked for may hold the token of a link, and a query a key.
 */
export const accessLog = (log: Pick<Log, "info">): TrafficWatch => ({
  wantsDetails: true,
  answered({ request, asked, response, milliseconds }: Answered) {
    const { address, userId, sizeBytes } = asked?.details ?? {};
    log.info("request", {
      requestId: asked?.requestId,
      method: request.method,
      route: asked?.route ?? null,
      status: response?.status ?? null,
      bytes: bytesOf(request, response, sizeBytes),
      ms: Math.round(milliseconds * 10) / 10,
      address: address ?? null,
      userId: userId ?? null,
    });
  },
});

/** Bytes of the body that is sent; null where they are not known before it has been sent. */
function bytesOf(
  { method }: Request,
  response: Response | undefined,
  sizeBytes: number | undefined,
): number | null {
  if (response === undefined || response.body === null || method === "HEAD") return 0;
  const declared = response.headers.get("content-length");
  return declared === null ? (sizeBytes ?? null) : Number(declared);
}
