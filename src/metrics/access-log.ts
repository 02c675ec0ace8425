import type { Log } from "../core/log";
import type { Answered, TrafficWatch } from "../http/traffic";

/**
 * Writes a log line for each request. It contains the path as the API declares it, because the
 * requested path may contain the token of a link, and a query may contain a key.
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

/** Bytes of the body that is sent; null if they are not known before it has been sent. */
function bytesOf(
  { method }: Request,
  response: Response | undefined,
  sizeBytes: number | undefined,
): number | null {
  if (response === undefined || response.body === null || method === "HEAD") return 0;
  const declared = response.headers.get("content-length");
  return declared === null ? (sizeBytes ?? null) : Number(declared);
}
