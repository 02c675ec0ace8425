import { FileAnswer } from "../core/answer";
import { encodingFor, encodingHeader } from "../core/content-encoding";
import type { Context } from "../core/context";
import type { Connection } from "../core/endpoint";
import { type Input, record } from "../core/params";
import { servedBundle } from "./files";
import { endings } from "./forms";

export const GetServiceWorker = record({});

/** The worker may send requests to this server only, and loads no further script. */
const contentSecurityPolicy = "default-src 'none'; connect-src 'self'";

/**
 * The service worker of the web client. Browsers check it again each time, so that a newer server
 * brings its own. Its address is at the root, because a worker controls only addresses below its
 * own.
 */
export async function getServiceWorker(
  _ctx: Context,
  _input: Input<typeof GetServiceWorker>,
  { header }: Pick<Connection, "header">,
): Promise<FileAnswer> {
  const files = [...(await servedBundle())];
  const [name = "", forms] = files.find(([file]) => /^service-worker-\w+\.js$/.test(file)) ?? [];
  if (forms === undefined) throw new Error("The web client has no service worker.");
  const encoding = encodingFor(header("accept-encoding"));
  return new FileAnswer(forms[encoding], {
    "content-type": "text/javascript; charset=utf-8",
    "content-security-policy": contentSecurityPolicy,
    "cache-control": "no-cache",
    vary: "Accept-Encoding",
    etag: `"${name}${endings[encoding]}"`,
    ...encodingHeader(encoding),
  });
}
