import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Config, Setting } from "../../src/config/config";
import { hasPassword, isSecret } from "../../src/config/config";
import { daySeconds, systemClock } from "../../src/core/clock";
import { isOfThisMachine, parseNetworks } from "../../src/core/network/address";
import { endOfCertificate } from "../../src/core/network/certificates";
import { speaksHttps } from "../../src/core/network/site";
import { listStartupProblems, listStartupWarnings } from "../startup-problems";
import type { Check, Finding } from "./finding";

const daysLeftMin = 14;

/** All problems that the configuration itself shows. */
export const findInConfiguration = (config: Config): Finding[] => [
  ...listStartupProblems(config).map(ofStart),
  ...listStartupWarnings(config).map(ofStart),
  ...findWrongProxy(config),
  ...findWrongAddress(config),
  ...findOldCertificate("smtp_tls_certificate", config.smtpTlsCertificate),
];

/** Words by which a sentence is assigned to a check. */
const words: readonly [RegExp, Check][] = [
  [/^The secret/, "secret"],
  [/^The data folder/, "permissions"],
  [/s3_|file_store/, "files"],
  [/smtp_tls_|tls_certificate|tls_key|https/, "tls"],
  [/smtp_|mail/, "mail"],
];

/** A sentence with which `chatd serve` refuses to start, or warns. It says what to do. */
function ofStart(what: string): Finding {
  const [, check = "configuration"] = words.find(([form]) => form.test(what)) ?? [];
  return { check, what, remedy: "Then run: chatd admin config check" };
}

function findWrongProxy(config: Config): Finding[] {
  const { url, trustedProxies, listen } = config;
  const isEncrypted = url?.startsWith("https://") === true && !speaksHttps(config);
  if (trustedProxies === undefined && listen === undefined && isEncrypted)
    return [
      {
        check: "proxy",
        what: "The public address is https, so there must be a proxy, but no proxy is trusted: all people count as one address, and are refused together.",
        remedy: "Set trusted_proxies to the proxy's address, such as 127.0.0.1.",
      },
    ];
  const networks = trustedProxies === undefined ? undefined : parseNetworks(trustedProxies);
  const strangers = ["8.8.8.8", "203.0.113.7", "2001:4860:4860::8888"];
  if (!networks || !strangers.some((address) => networks.has(address))) return [];
  return [
    {
      check: "proxy",
      what: "trusted_proxies contains the whole internet: anybody can pretend to have any address.",
      remedy: "Set trusted_proxies to only the addresses of the proxies.",
    },
  ];
}

function findWrongAddress({ url, smtpRelayHost, pushRelayUrl }: Config): Finding[] {
  if (url === undefined) {
    if (smtpRelayHost === undefined && pushRelayUrl === undefined) return [];
    const what =
      "Links in mails and notifications point to http and the port of this server, because no public address is set.";
    return [{ check: "address", what, remedy: "Set url, as in https://chat.example.com." }];
  }
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || isOfThisMachine(hostname)) return [];
  return [
    {
      check: "tls",
      what: `Passwords and messages are sent unencrypted, because the public address is ${url}.`,
      remedy:
        "Let chatd speak https (--https HOST), or put a proxy with https in front of it and set url to https://….",
    },
  ];
}

/** A certificate that expires soon or has expired. The start refuses one that cannot be read. */
function findOldCertificate(key: string, path: string | undefined): Finding[] {
  if (path === undefined) return [];
  try {
    const end = endOfCertificate(readFileSync(path));
    const daysLeft = Math.floor((end - systemClock.now()) / daySeconds);
    if (daysLeft >= daysLeftMin) return [];
    const when = daysLeft < 0 ? "has ended" : `ends in ${daysLeft} days`;
    const what = `The certificate ${path} (${key}) ${when}.`;
    return [
      { check: "tls", what, remedy: "Renew it. The server reads the file again within an hour." },
    ];
  } catch {
    return [];
  }
}

/** A configuration file with secrets that other accounts may read. */
export function findOpenConfiguration(
  path: string | undefined,
  settings: readonly Setting[],
): Finding[] {
  if (path === undefined) return [];
  const isHere = ({ source }: Setting) => source.endsWith(` in ${path}`);
  const secrets = settings.filter(isHere).filter(({ name, value }) => {
    const hasOne = name === "database" && hasPassword(String(value));
    return isSecret(name) || hasOne;
  });
  const file = resolve(path);
  if (secrets.length === 0 || !isReadByOthers(file)) return [];
  const names = secrets.map(({ name }) => name).join(", ");
  return [
    {
      check: "permissions",
      what: `Each account of this machine can read ${names} in ${file}.`,
      remedy: `Let only its owner and its group read it: chmod o= ${file}`,
    },
  ];
}

/** Whether others may read a file, and enter its folder. */
export function isReadByOthers(file: string): boolean {
  const modeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (modeOf(file) & 0o004) !== 0 && (modeOf(dirname(file)) & 0o001) !== 0;
}
