import type { Actor, App } from "../context";
import { describeError } from "../log";
import { perServer } from "../per-server";
import { traced } from "../traced";
import { makeConcurrencyLimit } from "../turns/concurrency-limit";
import { isIP, type Networks, parseNetworks } from "./address";
import { isPublicAddress } from "./public-address";

const timeoutMillisecondsDefault = 10_000;
const responseBytesMaxDefault = 1_048_576;
/** Highest number of simultaneous requests of one kind of a realm in this process. */
const perKindMax = 16;
/** Number of addresses of one name that are tried. */
const addressesTriedMax = 4;
/**
 * Errors of a connection that was not made: the other side has received nothing, so another address
 * may be tried.
 */
const notConnected = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "FailedToOpenSocket",
]);

type OutboundApp = Pick<App, "clock" | "config" | "memory">;

/** The addresses of a name. Fails if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface OutboundOptions {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  /** Headers in addition to `Host` and `Content-Length`, which are set here. */
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Time from the look-up of the name to the last byte of the answer: 10 s by default. */
  timeoutMilliseconds?: number;
  /** Greatest length of the answer's body: 1 MiB by default. */
  responseBytesMax?: number;
  /**
   * Allows every address. Only for addresses that the operator has configured, never for one that
   * users give.
   */
  allowPrivate?: boolean;
  /**
   * Fires when the answer is no longer needed, as the signal of a job does: the promise is then
   * rejected with its reason.
   */
  signal?: AbortSignal;
  /** Finds the addresses of names: by the system, if left out. */
  resolve?: Resolve;
}

/**
 * Outcome of a request. `reason` is a sentence for the person who configured the address, and
 * contains nothing of the response.
 */
export type Outbound =
  | { is: "answered"; status: number; headers: Headers; body: Uint8Array<ArrayBuffer> }
  /** The address is not allowed. Nothing was sent, and a retry will not help. */
  | { is: "refused"; reason: string }
  /**
   * The name has no address, nobody listens there, the certificate is not for that name, or the
   * connection broke.
   */
  | { is: "unreachable"; reason: string }
  | { is: "timedOut"; reason: string }
  /** The answer's body is too long. */
  | { is: "tooLarge"; reason: string };

/**
 * Sends one request over HTTP or HTTPS to an address that users gave, and answers the outcome. All
 * such requests go through here. It does not throw for anything that the other side can cause. A
 * `Context` is a scope.
 *
 * The parsed URL is checked and its name is resolved here. It connects only to public addresses
 * (`isPublicAddress`) and those in `outbound_networks_allowed`. Redirects are not followed (they
 * are answers with their status), proxies of the environment are not used, compressed answers are
 * not unpacked, connections are not reused. The timeout covers everything but the wait to begin,
 * which is at most as long: of the requests that `limitKeyOf` counts together, 16 run at a time.
 * Source: `docs/protocol/security-cases.md`, G1 to G5.
 */
export async function outboundRequest(
  scope: OutboundScope,
  url: string,
  options: OutboundOptions = {},
): Promise<Outbound> {
  const target = vetUrl(url);
  if (target.is === "refused") return target;
  const name = `${options.method ?? "GET"} ${target.host}`;
  const work = { name, kind: "client", facts: { "server.address": target.host } } as const;
  return traced(scope.app, work, () => request(scope, target, options));
}

interface OutboundScope {
  app: OutboundApp;
  realm: { id: number };
  actor?: Actor;
}

/**
 * Key of the requests that count together for the limit: those of a realm from one kind of
 * background work, or from people, so that bots whose services hang delay no notification.
 * Addresses that the operator has configured have keys of their own, so that a service of somebody
 * else delays none of those.
 */
function limitKeyOf({ realm, actor }: OutboundScope, { allowPrivate = false }: OutboundOptions) {
  const kind = actor?.kind === "job" ? actor.name : "people";
  return `${realm.id} ${allowPrivate ? "operator's" : "open"} ${kind}`;
}

async function request(
  scope: OutboundScope,
  target: Target,
  options: OutboundOptions,
): Promise<Outbound> {
  const timeoutMilliseconds = options.timeoutMilliseconds ?? timeoutMillisecondsDefault;
  const key = limitKeyOf(scope, options);
  const endRequest = await requestLimit
    .of(scope.app)
    .acquire(key, timeoutMilliseconds, options.signal);
  if (!endRequest)
    return { is: "timedOut", reason: "Too many requests of this organization are under way." };
  const deadline = makeDeadline(scope.app, timeoutMilliseconds, options.signal);
  try {
    return await deadline.race(requestTarget(scope.app, target, options, deadline.signal));
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!deadline.signal.aborted) return { is: "unreachable", reason: reasonOf(error) };
    return {
      is: "timedOut",
      reason: `There was no answer within ${timeoutMilliseconds / 1000} seconds.`,
    };
  } finally {
    deadline.end();
    endRequest();
  }
}

const requestLimit = perServer(({ clock }: Pick<App, "clock">) =>
  makeConcurrencyLimit(clock, perKindMax),
);

type Refused = Extract<Outbound, { is: "refused" }>;

interface Target {
  is: "allowed";
  url: URL;
  /** The name or the address in the URL, as the parser gives it. */
  host: string;
}

function vetUrl(text: string): Target | Refused {
  const url = URL.parse(text);
  if (!url) return refused("This is no web address.");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return refused("Only http:// and https:// can be reached.");
  if (url.username !== "" || url.password !== "")
    return refused("The address holds a user name or a password.");
  return { is: "allowed", url, host: url.hostname.replace(/^\[|\]$/g, "") };
}

const refused = (reason: string): Refused => ({ is: "refused", reason });

/** One timeout for the whole request. `race` is for work that ignores the signal. */
function makeDeadline(
  { clock }: OutboundApp,
  milliseconds: number,
  given: AbortSignal | undefined,
) {
  const controller = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const abort = () => {
    controller.abort();
    reject(new Error("The time is over."));
  };
  over.catch(() => undefined);
  const stopClock = clock.after(milliseconds, abort);
  given?.addEventListener("abort", abort);
  if (given?.aborted) abort();
  return {
    signal: controller.signal,
    race: <Value>(work: Promise<Value>) => Promise.race([work, over]),
    end() {
      stopClock();
      given?.removeEventListener("abort", abort);
      // Aborts everything that is still under way, such as an answer that is too long.
      controller.abort();
    },
  };
}

async function requestTarget(
  app: OutboundApp,
  { url, host }: Target,
  options: OutboundOptions,
  signal: AbortSignal,
): Promise<Outbound> {
  const found = isIP(host) ? [host] : await (options.resolve ?? resolveBySystem)(host);
  const allowed = allowedNetworks(app);
  const addresses = found.filter(
    (one) => options.allowPrivate || isPublicAddress(one) || allowed?.has(one),
  );
  if (found.length > 0 && addresses.length === 0) {
    return refused(
      `${url.host} is not on the open internet. The operator can allow it: outbound_networks_allowed.`,
    );
  }
  let last: unknown = new Error("The name has no address.");
  for (const address of addresses.slice(0, addressesTriedMax)) {
    try {
      const response = await connect(address, { url, host }, options, signal);
      return await readAnswer(response, options.responseBytesMax ?? responseBytesMaxDefault);
    } catch (error) {
      last = error;
      if (!notConnected.has(codeOf(error)) || signal.aborted) break;
    }
  }
  return { is: "unreachable", reason: reasonOf(last) };
}

/** IPv4 first, because on a machine without IPv6 an IPv6 address would cost a failed attempt. */
async function resolveBySystem(name: string): Promise<string[]> {
  const found = await Bun.dns.lookup(name);
  return found.sort((one, other) => one.family - other.family).map(({ address }) => address);
}

const allowedByText = new Map<string, Networks>();

function allowedNetworks({
  config: { outboundNetworksAllowed: text },
}: OutboundApp): Networks | undefined {
  if (text === undefined) return undefined;
  const networks = allowedByText.get(text) ?? parseNetworks(text);
  allowedByText.set(text, networks);
  return networks;
}

/**
 * The certificate is checked against the name, because the connection itself has only the address.
 */
function connect(
  address: string,
  { url, host }: Omit<Target, "is">,
  options: OutboundOptions,
  signal: AbortSignal,
) {
  const to = new URL(url);
  to.hash = "";
  to.hostname = isIP(address) === 6 ? `[${address}]` : address;
  // An answer that is no address is refused, because connecting to it would look it up again.
  if (isIP(to.hostname.replace(/^\[|\]$/g, "")) === 0)
    throw new Error("The name has no address that can be used.");
  const { method = "GET", headers, body } = options;
  return fetch(to, {
    method,
    signal,
    proxy: false,
    redirect: "manual",
    keepalive: false,
    decompress: false,
    headers: { "User-Agent": "chatd", ...headers, Host: url.host },
    ...(body === undefined ? {} : { body }),
    ...(url.protocol === "https:" && isIP(host) === 0
      ? { tls: { serverName: host.replace(/\.$/, "") } }
      : {}),
  });
}

async function readAnswer(response: Response, bytesMax: number): Promise<Outbound> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax)
      return { is: "tooLarge", reason: `The answer has more than ${bytesMax} bytes.` };
    chunks.push(chunk);
  }
  const body = new Uint8Array(Buffer.concat(chunks));
  return { is: "answered", status: response.status, headers: response.headers, body };
}

const codeOf = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

const reasons: Record<string, string> = {
  ECONNREFUSED: "Nobody listens at this address.",
  DNS_ENOTFOUND: "There is no such name.",
  DNS_ENODATA: "The name has no address.",
  ECONNRESET: "The connection was closed before the answer was complete.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is not of that name.",
  DEPTH_ZERO_SELF_SIGNED_CERT:
    "The certificate is not signed by an authority that this server trusts.",
};

const reasonOf = (error: unknown) =>
  reasons[codeOf(error)] ?? String(describeError(error)["error"]);
