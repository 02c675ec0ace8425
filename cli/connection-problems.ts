import { readFileSync } from "node:fs";
import type { Config } from "../src/config/config";
import { systemClock } from "../src/core/clock";
import { messageOf } from "../src/core/error-code";
import { ApiError } from "../src/core/errors";
import { makeLog } from "../src/core/log";
import { httpsHosts } from "../src/core/network/site";
import { whyUnusable } from "../src/core/storage/postgres-check";
import { credentialsOf, findIdentity } from "../src/devices/push/relay-identity";
import { s3PlaceOf } from "../src/files/open";
import { makeS3Requests, S3RequestError } from "../src/files/s3-requests";
import { whyUnreached } from "../src/https/why-unreached";
import { whyRelayFails } from "../src/letters/try-relay";
import { signedAddress } from "../src/messages/calls/signed-address";
import { endAtOnce } from "./end-at-once";

/** Longest time for each tried connection. */
const patienceMilliseconds = 10_000;

/**
 * Tries each configured service by a real connection, all at once and for a limited time: a
 * sentence for each that does not answer correctly. Changes nothing anywhere.
 */
export async function listConnectionProblems(
  config: Config,
  hasData: boolean,
): Promise<ConnectionProblem[]> {
  const tried = await Promise.all([
    within("database", whyDatabase(config, hasData)),
    within("files", whyStore(config)),
    within("mail", whyRelay(config)),
    within("push", whyPush(config)),
    within("calls", whyCalls(config)),
    within("tls", whyAuthority(config)),
    ...httpsHosts(config).map((host) => within("address", whyUnknown(host))),
  ]);
  return tried.filter((problem) => problem !== undefined);
}

/** A service that does not answer correctly. */
interface ConnectionProblem {
  service: keyof typeof services;
  what: string;
}

const services = {
  database: "The database",
  files: "The file store",
  mail: "The mail relay",
  push: "The push relay",
  calls: "BigBlueButton",
  tls: "The certificate authority",
  address: "The DNS",
} as const;

async function within(
  service: ConnectionProblem["service"],
  attempt: Promise<string | undefined>,
): Promise<ConnectionProblem | undefined> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const seconds = patienceMilliseconds / 1_000;
  const cancel = systemClock.after(patienceMilliseconds, () =>
    resolve(`${services[service]} did not answer within ${seconds} seconds.`),
  );
  const what = await Promise.race([attempt, promise]).finally(cancel);
  return what === undefined ? undefined : { service, what };
}

/** Opens the data like a server, so that a wrong secret is found too, but without migrating it. */
async function whyDatabase(config: Config, hasData: boolean): Promise<string | undefined> {
  const why = config.database === undefined ? undefined : await whyUnusable(config.database);
  if (why !== undefined) return why;
  if (!hasData) return undefined;
  const { openApp } = await import("../src/app");
  const log = makeLog(systemClock, "error", () => undefined);
  try {
    const app = await openApp(config, { log, exit: endAtOnce, migrates: "none" });
    await app.close();
    return undefined;
  } catch (error) {
    // The next start migrates data of an earlier version.
    if (error instanceof Error && error.name === "OlderSchemaError") return undefined;
    if (error instanceof Error && error.name === "NoDataError") return undefined;
    return messageOf(error);
  }
}

async function whyStore(config: Config): Promise<string | undefined> {
  const place = s3PlaceOf(config);
  if (place === undefined) return undefined;
  const ask = makeS3Requests(place, systemClock);
  try {
    await ask("GET", "", { "list-type": "2", "max-keys": "1" });
    return undefined;
  } catch (error) {
    if (!(error instanceof S3RequestError) || error.status === 0)
      return `The file store at s3_endpoint cannot be reached: ${whyUnreached(error)}. Check s3_endpoint.`;
    const code = error.code === "" ? "" : `${error.code}: `;
    const why = error.message.replace(/[.?!\s]+$/, "");
    return `The file store at s3_endpoint does not serve files: ${code}${why}. Check s3_bucket, s3_region and the keys.`;
  }
}

async function whyRelay(config: Config): Promise<string | undefined> {
  const why = await whyRelayFails(config, patienceMilliseconds);
  return why === undefined
    ? undefined
    : `The mail relay ${config.smtpRelayHost}:${config.smtpRelayPort} cannot be used: ${why}. Check smtp_relay_host, its port, its security and the password.`;
}

/**
 * Asks for the last information that the relay was given, because this changes nothing and needs id
 * and key.
 */
async function whyPush(config: Config): Promise<string | undefined> {
  const { pushRelayUrl: url } = config;
  if (url === undefined) return undefined;
  try {
    const identity = findIdentity(config);
    const { id, key, nextKey } = identity ?? { id: "", key: "" };
    for (const one of nextKey === undefined ? [key] : [key, nextKey])
      if ((await isKnownAt(url, credentialsOf(id, one))) && identity) return undefined;
    return "The push relay does not know this server: register it with chatd admin push register, or set push_relay_id and push_relay_key.";
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    return `The push relay at push_relay_url cannot be reached: ${whyUnreached(error)}. Check push_relay_url.`;
  }
}

/** If a relay lacks this path, it is assumed to know this server. */
async function isKnownAt(url: string, credentials: string): Promise<boolean> {
  const { status } = await fetch(`${url}/api/v1/remotes/server/analytics/status`, {
    headers: { Authorization: credentials },
    redirect: "manual",
    signal: AbortSignal.timeout(patienceMilliseconds),
  });
  return status !== 401;
}

/** Asks for the list of meetings, which needs the secret like a call. */
async function whyCalls(config: Config): Promise<string | undefined> {
  const { bigBlueButtonUrl: url, bigBlueButtonSecret: secret } = config;
  if (url === undefined && secret === undefined) return undefined;
  if (url === undefined || secret === undefined)
    return "Video calls need big_blue_button_url and big_blue_button_secret: one of them is missing.";
  try {
    const signal = AbortSignal.timeout(patienceMilliseconds);
    const answer = await fetch(signedAddress({ url, secret }, "getMeetings"), { signal });
    const text = await answer.text();
    if (/<returncode>SUCCESS</.test(text)) return undefined;
    if (text.includes("checksumError"))
      return "BigBlueButton refuses big_blue_button_secret: compare it with bbb-conf --secret.";
    return `There is no BigBlueButton at big_blue_button_url: it answers with ${answer.status}. The URL must end in /bigbluebutton.`;
  } catch (error) {
    return `BigBlueButton at big_blue_button_url cannot be reached: ${whyUnreached(error)}. Check big_blue_button_url.`;
  }
}

async function whyAuthority({
  https,
  acmeDirectory: directory = "",
  acmeCaFile: caFile,
}: Config): Promise<string | undefined> {
  if (https === undefined) return undefined;
  try {
    const tls = caFile === undefined ? {} : { tls: { ca: readFileSync(caFile, "utf8") } };
    const signal = AbortSignal.timeout(patienceMilliseconds);
    const places: unknown = await (await fetch(directory, { signal, ...tls })).json();
    if (typeof places === "object" && places !== null && "newOrder" in places) return undefined;
    return `${directory} is no directory of a certificate authority: check acme_directory.`;
  } catch (error) {
    return `The certificate authority at ${directory} cannot be reached: ${whyUnreached(error, "acme_ca_file")}. Check acme_directory.`;
  }
}

async function whyUnknown(host: string): Promise<string | undefined> {
  try {
    await Bun.dns.lookup(host);
    return undefined;
  } catch {
    return `The host ${host} in https has no address in the DNS: point its DNS record to this machine.`;
  }
}
