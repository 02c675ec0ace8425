import { mkdirSync } from "node:fs";
import type { Config } from "../src/config/config";
import { systemClock } from "../src/core/clock";
import type { Log } from "../src/core/log";
import { httpsHosts } from "../src/core/network/site";
import type { Tls } from "../src/http/listeners";
import type { RedirectPort } from "../src/http/redirect-port";
import type { HttpServer } from "../src/http/serve";
import type { KeyPairPaths } from "../src/https/key-pair";

/**
 * Half a year during which browsers use only https for a host (HSTS). Only for automatic
 * certificates, because the operator may remove certificate files, and only if https has its usual
 * port, because browsers apply it to every port of the host.
 */
const transportSecurity = "max-age=15768000";

function transportSecurityOf({ url, port }: Config) {
  const isUsualPort = url === undefined ? port === 443 : URL.parse(url)?.port === "";
  return isUsualPort ? { transportSecurity } : {};
}

/** The certificates that a server speaks https with. */
export interface ServedCertificates {
  /** Reads the current certificates from the configured files. */
  read(config: Config): Tls;
  /** Answer to the challenge of a certificate authority, by its token. */
  challengeAnswer(token: string): string | undefined;
  /** Hosts without a certificate that clients accept. */
  missing(): readonly string[];
  /** A sentence for people while there is no certificate yet. */
  whyNotYet(): string | undefined;
  /** Starts to keep them up to date. */
  begin(server: Pick<HttpServer, "changeTls">): void;
  /** Tries at once everything that waits for its next attempt. */
  tryAgain(): void;
  end(): void;
}

/** Opens the certificates of a server; undefined if it uses http. */
export async function openCertificates(
  config: Config,
  log: Log,
): Promise<ServedCertificates | undefined> {
  if (config.https !== undefined) return fromAuthority(config, log);
  return keyPairPaths(config) && fromFiles;
}

/** The files of the server's https certificate; undefined if it has none. */
export const keyPairPaths = ({
  tlsCertificate: certificate,
  tlsKey: key,
}: Pick<Config, "tlsCertificate" | "tlsKey">): KeyPairPaths | undefined =>
  certificate === undefined || key === undefined ? undefined : { certificate, key };

/** Code for certificate files, loaded on first use, because it would make every start slower. */
export const keyPairs = (): typeof import("../src/https/key-pair") =>
  require("../src/https/key-pair");

const fromFiles: ServedCertificates = {
  read(config) {
    const paths = keyPairPaths(config);
    if (!paths) throw new Error("A server that speaks https needs tls_certificate and tls_key.");
    const { chain, key } = keyPairs().readKeyPair(paths);
    return { certificates: [{ host: undefined, chain, key }] };
  },
  challengeAnswer: () => undefined,
  missing: () => [],
  whyNotYet: () => undefined,
  begin: () => undefined,
  tryAgain: () => undefined,
  end: () => undefined,
};

const waitsForAll = "This server waits for its certificate. Its log says why.";

/** Certificates that an authority issues, stored in the data folder. */
async function fromAuthority(config: Config, log: Log): Promise<ServedCertificates> {
  const { CertificateStore } = await import("../src/https/certificate-store");
  const { CertificateKeeper } = await import("../src/https/certificate-keeper");
  const hosts = httpsHosts(config);
  mkdirSync(config.data, { recursive: true, mode: 0o700 });
  const store = new CertificateStore(config.data);
  const { makeIssuer, makePlaceholder } = await import("../src/https/acme");
  const answers = new Map<string, string>();
  const missing = hosts.filter((host) => store.certificate(host) === undefined);
  const placeholders = new Map<string, { chain: string; key: string }>();
  for (const host of missing) placeholders.set(host, await makePlaceholder(host));
  const read = (): Tls => ({
    ...transportSecurityOf(config),
    certificates: hosts.flatMap((host) => {
      const stored = store.certificate(host);
      if (stored) return [{ host, chain: stored.chain, key: stored.key }];
      const placeholder = placeholders.get(host);
      return placeholder ? [{ host, ...placeholder, isPlaceholder: true }] : [];
    }),
  });
  let server: Pick<HttpServer, "changeTls"> | undefined;
  const keeper = new CertificateKeeper({
    hosts,
    store,
    clock: systemClock,
    log,
    issue: makeIssuer({
      directory: config.acmeDirectory ?? "",
      caFile: config.acmeCaFile,
      email: config.acmeEmail,
      accountKey: store.accountKey(config.acmeDirectory ?? ""),
      answers,
    }),
    async changed() {
      await server?.changeTls(read());
      log.info("certificate_served");
    },
  });
  return {
    read,
    challengeAnswer: (token) => answers.get(token),
    missing: () => keeper.missing(),
    whyNotYet: () => (keeper.missing().length === hosts.length ? waitsForAll : undefined),
    begin(its) {
      server = its;
      const waiting = keeper.missing();
      if (waiting.length > 0)
        log.warn("certificate_awaited", {
          hosts: waiting,
          from: config.acmeDirectory,
          what: "Clients are refused until chatd has a certificate.",
        });
      keeper.start();
    },
    tryAgain: () => keeper.tryAgain(),
    end: () => keeper.stop(),
  };
}

/** Opens the port that redirects http to https, if there is one. */
export async function openRedirects(
  config: Config,
  httpsPort: number,
  certificates: ServedCertificates | undefined,
): Promise<RedirectPort | undefined> {
  const { host, httpPort, url } = config;
  if (httpPort === undefined || !certificates) return undefined;
  const publicHost = url && URL.parse(url)?.hostname;
  const hosts = config.https === undefined ? (publicHost ? [publicHost] : []) : httpsHosts(config);
  const { listenForRedirects } = await import("../src/http/redirect-port");
  const { challengeAnswer, whyNotYet } = certificates;
  const publicPort = publicPortOf(url) ?? httpsPort;
  const policy = { httpsPort: publicPort, hosts, challengeAnswer, whyNotYet };
  return listenForRedirects(host, httpPort, policy);
}

/** The port by which people reach a server, which may differ from the port at which it listens. */
function publicPortOf(url: string | undefined): number | undefined {
  const address = url === undefined ? null : URL.parse(url);
  if (address?.protocol !== "https:") return undefined;
  return address.port === "" ? 443 : Number(address.port);
}
