import { connect } from "node:net";
import type { Config } from "../../src/config/config";
import { isoTime, systemClock } from "../../src/core/clock";
import { parsedJson } from "../../src/core/json/parsed-json";
import { isRecord } from "../../src/core/json/record";
import { plainAddress } from "../../src/core/network/address";
import { portOf } from "../../src/core/network/site";
import { trustedBy } from "../../src/http/connection";
import { listConnectionProblems } from "../connection-problems";
import { skewSecondsMax } from "./data";
import type { Check, Finding } from "./finding";

const patienceMilliseconds = 10_000;
const remedies: Partial<Record<Check, string>> = {
  database: "Make it answer, then run: chatd admin config check",
  files: "Then run: chatd admin config check",
  mail: "Then send a test mail: chatd admin mail test you@example.com",
  push: "Check push_relay_url and the network; chatd admin push register registers this server.",
  calls: "Then run: chatd admin config check",
  tls: "Then run: chatd admin config check",
  address: "Point the DNS record of the host to this machine.",
};

/** All wrong answers: of configured services, and of the proxy. */
export async function findByConnecting(config: Config, hasData: boolean): Promise<Finding[]> {
  const [problems, ofAddress, ofClock] = await Promise.all([
    listConnectionProblems(config, hasData),
    findAtPublicAddress(config),
    findWrongClock(config),
  ]);
  const ofServices = problems.map(({ service, what }) => ({
    check: service,
    what,
    remedy: remedies[service] ?? "",
  }));
  return [...ofServices, ...ofAddress, ...ofClock];
}

const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: "manual", signal: AbortSignal.timeout(patienceMilliseconds), ...init });

/** Sends a request to the public address, through the proxy, like a distant client. */
async function findAtPublicAddress(config: Config): Promise<Finding[]> {
  const { url } = config;
  if (url === undefined) return [];
  const place = `${url}/api/v1/server_settings`;
  const id = `doctor-${crypto.randomUUID()}`;
  const answer = await ask(place, { headers: { "x-request-id": id } }).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  if (answer instanceof Error) return [unreached(url, answer)];
  const body = parsedJson(await answer.text());
  if (!isRecord(body) || !("zulip_feature_level" in body)) {
    const reason = isRecord(body) && typeof body["msg"] === "string" ? `: ${body["msg"]}` : "";
    const what = `The server at ${url} is not chatd: it answers with ${answer.status}${reason}.`;
    const remedy = "Let the proxy pass all requests to chatd, with an unchanged Host header.";
    return [{ check: "address", what, remedy }];
  }
  if (await isProxyItself(config, new URL(url))) return [];
  const findings: Finding[] = [];
  if (answer.headers.get("x-request-id") === id)
    findings.push({
      check: "proxy",
      what: `The proxy at ${url} passes on the X-Request-Id that a client sends.`,
      remedy: "Let the proxy set the header, as the examples in deploy/ do.",
    });
  if (await isSpoofed(place))
    findings.push({
      check: "proxy",
      what: `The proxy at ${url} passes on the address that a client claims to have, so rate limits and bans have no effect.`,
      remedy:
        "Let the proxy set X-Forwarded-For to the client's address, as the examples in deploy/ do.",
    });
  return findings;
}

const unreached = (url: string, { message }: Error): Finding =>
  /certificate|TLS|SSL|ALTNAME|altnames/i.test(message)
    ? {
        check: "tls",
        what: `Clients do not accept the certificate of ${url}: ${message}`,
        remedy: "Renew it, or install one for this host.",
      }
    : {
        check: "address",
        what: `Nothing answers at ${url}: ${message}`,
        remedy:
          "Start the server and the proxy, and check url. If this machine cannot reach that address, use --offline.",
      };

/**
 * Whether the server itself listens at the public address and trusts this machine as a proxy: then
 * it correctly accepts the doctor's made-up addresses.
 */
async function isProxyItself(config: Config, { hostname, port, protocol }: URL): Promise<boolean> {
  const trusted = trustedBy(config);
  const publicPort = Number(port) || (protocol === "https:" ? 443 : 80);
  if (!trusted || config.listen !== undefined || publicPort !== portOf(config)) return false;
  return trusted.has(plainAddress(await ownAddress(hostname, publicPort)));
}

/** The address of this machine from which it reaches a port; empty if it does not reach it. */
function ownAddress(hostname: string, port: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, "$1"), port }, () => {
    resolve(socket.localAddress ?? "");
    socket.destroy();
  });
  socket.setTimeout(patienceMilliseconds, () => socket.destroy(new Error("Nobody answers.")));
  socket.on("error", () => resolve(""));
  return promise;
}

const spoofs = Array.from({ length: 8 }, (_, index) => `203.0.113.${index + 1}`);

/**
 * Whether each made-up address has its own remaining requests: then their number does not decrease
 * from one request to the next.
 */
async function isSpoofed(place: string): Promise<boolean> {
  const left = await Promise.all(
    spoofs.map(async (address) => {
      const answer = await ask(place, { headers: { "x-forwarded-for": address } });
      return answer.headers.get("x-ratelimit-remaining");
    }),
  ).catch(() => [null]);
  return left.length === spoofs.length && left[0] !== null && new Set(left).size === 1;
}

/** Compares the clock with the clocks of the configured services. */
async function findWrongClock({ pushRelayUrl, s3Endpoint }: Config): Promise<Finding[]> {
  for (const url of [pushRelayUrl, s3Endpoint]) {
    const answer =
      url === undefined ? undefined : await ask(url, { method: "HEAD" }).catch(() => undefined);
    const theirs = Date.parse(answer?.headers.get("date") ?? "") / 1_000;
    const now = systemClock.now();
    if (Number.isNaN(theirs) || Math.abs(theirs - now) <= skewSecondsMax) continue;
    return [
      {
        check: "clock",
        what: `This machine's clock says ${isoTime(now)}, and that of ${url} ${isoTime(theirs)}.`,
        remedy: "Synchronize the clock with the network: timedatectl set-ntp true",
      },
    ];
  }
  return [];
}
