import { Elysia } from "elysia";
import { whyNotListening } from "../core/network/why-not-listening";
import { hangUpOnUnread } from "./body-stream";
import { withoutStacks } from "./serve";

/** Rules for answering requests by http. */
export interface RedirectPolicy {
  /** Port of https, to which requests are redirected. */
  httpsPort: number;
  /**
   * Hosts to which requests may be redirected, the first one for all other hosts. An empty list
   * redirects each host to itself.
   */
  hosts: readonly string[];
  /** Answer to the challenge of a certificate authority (RFC 8555, 8.3), by its token. */
  challengeAnswer?(token: string): string | undefined;
  /** A sentence for people while there is no certificate yet; undefined from then on. */
  whyNotYet?(): string | undefined;
}

export interface RedirectPort {
  readonly port: number;
  close(): Promise<void>;
}

const idleTimeoutSeconds = 10;
const bodySizeBytesMax = 65_536;
const retrySeconds = "30";
const challengePrefix = "/.well-known/acme-challenge/";
const usualHttpsPort = 443;

/** Listens for requests by http, and redirects them to https. */
export async function listenForRedirects(
  host: string,
  port: number,
  policy: RedirectPolicy,
): Promise<RedirectPort> {
  const elysia = new Elysia({ handler: { standardHostname: false } })
    .onError(() => new Response("Bad Request\n", { status: 400 }))
    .all("/*", ({ request }) => hangUpOnUnread(request, answer(request, policy)), {
      parse: "none",
    });
  const options = { hostname: host, port, reusePort: false, development: false };
  const bounds = { idleTimeout: idleTimeoutSeconds, maxRequestBodySize: bodySizeBytesMax };
  try {
    await withoutStacks(async () => {
      elysia.listen({ ...options, ...bounds });
      await elysia.modules;
    });
  } catch (error) {
    const why = whyNotListening({ host, port }, error, { port: "--http-port", host: "--host" });
    throw why === undefined ? error : new Error(why, { cause: error });
  }
  const { server } = elysia;
  if (server === null) throw new Error("The server does not listen.");
  return { port: server.port ?? port, close: () => server.stop(false) };
}

function answer(request: Request, policy: RedirectPolicy): Response {
  const rest = pathAndQuery(request.url);
  if (rest.startsWith(challengePrefix) && policy.challengeAnswer) {
    const keyAuthorization = policy.challengeAnswer(rest.slice(challengePrefix.length));
    if (keyAuthorization !== undefined)
      return new Response(keyAuthorization, { headers: plainText });
  }
  const why = policy.whyNotYet?.();
  if (why !== undefined)
    return new Response(`${why}\n`, {
      status: 503,
      headers: { ...plainText, "retry-after": retrySeconds },
    });
  const host = hostFor(request.headers.get("host") ?? "", policy.hosts);
  if (host === undefined) return new Response("Bad Request\n", { status: 400, headers: plainText });
  const port = policy.httpsPort === usualHttpsPort ? "" : `:${policy.httpsPort}`;
  // A form that is sent again by GET would lose its content.
  const status = ["GET", "HEAD"].includes(request.method) ? 301 : 308;
  return new Response(null, { status, headers: { location: `https://${host}${port}${rest}` } });
}

const plainText = { "content-type": "text/plain; charset=utf-8" };

/** The host of a request, or the first one of the server if the host is not among these. */
function hostFor(header: string, hosts: readonly string[]): string | undefined {
  const [, name = ""] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i.exec(header) ?? [];
  const host = name.toLowerCase();
  if (hosts.length > 0) return hosts.includes(host) ? host : hosts[0];
  return host === "" ? undefined : host;
}

function pathAndQuery(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start < 0 ? "/" : url.slice(start);
}
