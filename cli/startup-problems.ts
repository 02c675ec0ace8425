import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Config, httpsPort } from "../src/config/config";
import { systemClock } from "../src/core/clock";
import { messageOf } from "../src/core/error-code";
import { makeLog } from "../src/core/log";
import { isOfThisMachine } from "../src/core/network/address";
import { httpsHosts } from "../src/core/network/site";
import { loadServerSecret, requireSecretOfDatabase } from "../src/core/secrets/secrets";
import { openPlaces } from "../src/files/open";
import { whyNotReceiving } from "../src/mail/mail-in/why-not-receiving";
import { keyPairPaths, keyPairs } from "./served-certificates";

/** Port at which servers of the internet deliver mail. */
const mailPort = 25;
const silent = makeLog(systemClock, "error", () => undefined);

/**
 * Everything that keeps a server with this configuration from starting, as far as this machine
 * alone can tell: a sentence each. `serve` refuses to start with any of it, and `config check`
 * reports it.
 */
export const listStartupProblems = (config: Config): string[] =>
  [
    whySecret(config),
    whyData(config),
    whyFiles(config),
    ...whyNotReceiving(config),
    ...whyHttps(config),
    whyMissing("smtp_relay_ca_file", config.smtpRelayCaFile),
    whyMissing("smtp_tls_certificate", config.smtpTlsCertificate),
    whyMissing("smtp_tls_key", config.smtpTlsKey),
  ].filter((problem) => problem !== undefined);

/** Sentences about a configuration that works but is probably a mistake. */
export const listStartupWarnings = (config: Config): string[] => [
  ...warnOfSecret(config),
  ...warnOfKeyPair(config),
  ...warnOfHttpsHere(config),
  ...warnOfMailHere(config),
  ...warnOfAccessLog(config),
];

function warnOfAccessLog({ accessLog, logLevel }: Config): string[] {
  if (!accessLog || logLevel === "debug" || logLevel === "info") return [];
  return [`access_log has no effect, because log_level is ${logLevel}: set it to info.`];
}

function warnOfSecret({ database, secret, data }: Config): string[] {
  if (database === undefined || secret !== undefined) return [];
  return [
    `The secret is only in ${join(data, "secret")}, while the data is in PostgreSQL: without that file every API key is lost, ` +
      "and no other node can start. Set CHATD_SECRET, or CHATD_SECRET_FILE, to its content on every node.",
  ];
}

/**
 * Says nothing about files that cannot be served at all, because these are problems, not warnings.
 */
function warnOfKeyPair(config: Config): string[] {
  const paths = keyPairPaths(config);
  if (!paths || refusalOf(() => keyPairs().readKeyPair(paths)) !== undefined) return [];
  const { listKeyPairWarnings, readKeyPair } = keyPairs();
  const host = config.url && URL.parse(config.url)?.hostname;
  return listKeyPairWarnings(readKeyPair(paths), paths, systemClock.now(), host);
}

/**
 * Warns of https at an address that only this machine reaches. A certificate of one's own may be
 * there for a proxy on this machine, which then has the usual ports.
 */
function warnOfHttpsHere(config: Config): string[] {
  const { host, port, httpPort, url, tlsCertificate } = config;
  const isForOthers =
    httpPort !== undefined || (tlsCertificate !== undefined && port === httpsPort);
  if (!isForOthers || !isOfThisMachine(host)) return [];
  const hosts = [...httpsHosts(config), url && URL.parse(url)?.hostname];
  if (hosts.every((one) => one === undefined || isOfThisMachine(one))) return [];
  const alsoPort = `Also remove port, so that https is at port ${httpsPort} and not at ${port}.`;
  return [
    `Only this machine can reach https, because host is ${host}: remove host.${port === httpsPort ? "" : ` ${alsoPort}`}`,
  ];
}

/**
 * Warns of the port of mail at an address that only this machine reaches. Another port than that of
 * mail is for a mail server of this machine, which passes mail on.
 */
function warnOfMailHere({ smtpPort, smtpHost, host }: Config): string[] {
  if (smtpPort !== mailPort || smtpHost !== undefined || !isOfThisMachine(host)) return [];
  return [
    `Only this machine can send mail to channels, because host is ${host}: ` +
      `set smtp_host = "0.0.0.0", or smtp_host = "${host}" if that is meant.`,
  ];
}

/** Checks the secret only if there is one, because the first start makes it with the data. */
function whySecret(config: Config): string | undefined {
  const { secret, data } = config;
  if (secret === undefined && !existsSync(join(data, "secret")))
    return refusalOf(() => requireSecretOfDatabase(config));
  return refusalOf(() => loadServerSecret(secret, data));
}

function whyData({ data }: Config): string | undefined {
  const folder = nearestFolder(resolve(data));
  try {
    if (!statSync(folder).isDirectory()) return notFolder(data, folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return `The data folder ${data} cannot be used: nothing can be written to ${folder}. Make the account that runs chatd its owner, or choose another folder with --data.`;
  }
}

const notFolder = (data: string, path: string) =>
  `The data folder ${data} cannot be used: ${path} is a file, not a folder. Choose another folder with --data.`;

/** The folder itself, or the nearest one above it that exists. */
export const nearestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));

const whyFiles = (config: Config) => refusalOf(() => openPlaces(config, systemClock, silent));

function whyHttps(config: Config): string[] {
  const { https, tlsCertificate, tlsKey, listen, httpPort, acmeCaFile } = config;
  if ((tlsCertificate === undefined) !== (tlsKey === undefined))
    return ["tls_certificate and tls_key belong together: set both or neither."];
  const paths = keyPairPaths(config);
  const [key] = [https && "https", paths && "tls_certificate"].filter((one) => one !== undefined);
  const why = paths && refusalOf(() => keyPairs().readKeyPair(paths));
  return [
    https !== undefined && paths
      ? "https gets a certificate automatically, and tls_certificate names your own: set only one of them."
      : undefined,
    listen !== undefined && key !== undefined
      ? `listen and ${key} cannot be combined: chatd does not speak https on a Unix socket, the proxy does.`
      : undefined,
    httpPort !== undefined && key === undefined
      ? "http_port needs https: set https, or tls_certificate and tls_key, or remove http_port."
      : undefined,
    ...httpsHosts(config)
      .filter((host) => /^[\d.]+$/.test(host))
      .map((host) => `https contains the IP address ${host}: it accepts only host names.`),
    whyMissing("acme_ca_file", acmeCaFile),
    why,
  ].filter((problem) => problem !== undefined);
}

const whyMissing = (key: string, path: string | undefined) =>
  path === undefined || existsSync(path)
    ? undefined
    : `${key} names ${path}, which does not exist.`;

function refusalOf(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
