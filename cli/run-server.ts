import { fstatSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { resolve } from "node:path";
import { openApp, type RunningApp } from "../src/app";
import { type Config, isJournal, serviceManagerFacts } from "../src/config/config";
import { systemClock } from "../src/core/clock";
import { describeError, type Log } from "../src/core/log";
import { addressAt, notePort, siteOf, takePort } from "../src/core/network/site";
import { turn } from "../src/core/turns/turn";
import { commit, version } from "../src/core/version";
import type { RedirectPort } from "../src/http/redirect-port";
import type { HttpServer } from "../src/http/serve";
import type { Applied } from "../src/moving/organization/apply";
import type { Declared } from "../src/moving/organization/declaration";
import { type FirstRealm, findFirstRealm } from "../src/moving/organization/first-start";
import { makeRealm } from "../src/moving/organization/make-realm";
import { announcement } from "./announce";
import { openWhenReachable } from "./await-database";
import { closeDeepData } from "./close-data";
import type { CredentialsFile } from "./credentials-file";
import { endAtOnce } from "./end-at-once";
import type { OneTimeLink } from "./one-time-links";
import { reload } from "./reload";
import type { ServeOptions } from "./serve";
import type { ServeSignals } from "./serve-signals";
import type { ServedCertificates } from "./served-certificates";
import { findServiceManager } from "./service-manager";
import { logFailure } from "./stderr-log";
import { writeLineUnwaited } from "./stdout";
import type { Watching } from "./watching";

/** Time for which requests in progress may continue after the stop signal. */
const stopMilliseconds = 10_000;

interface Task {
  /** SIGHUP changes settings in it. */
  config: Config;
  /** Reads the configuration again. */
  readConfig(): Config;
  /** The file that the configuration was read from. */
  configFile: string | undefined;
  watching: Watching;
  /**
   * Port that was opened before anything is created, like the port for mail, so that no key is
   * issued that nobody would see.
   */
  server: HttpServer;
  options: ServeOptions;
  declared: Declared | undefined;
  file: CredentialsFile | undefined;
  /** The https certificates. */
  certificates: ServedCertificates | undefined;
  /** The port that redirects http to https, if there is one. */
  redirects: RedirectPort | undefined;
  signals: ServeSignals;
}

/**
 * Opens the data and answers requests until the stop signal, then stops in order. Work that the
 * first answers do not need comes after them: the people of a first start, and background work.
 */
export async function runServer(task: Task) {
  const { config, watching, server, options, declared, signals } = task;
  const { log, meter } = watching;
  const open = () => openApp(config, { log, meter, exit: endAtOnce });
  const app = await openWhenReachable({ config, log, server, stop: signals.stop }, open);
  if (!app) return endAll(log, endingsOf(task));
  watching.attach(app, () => server.tls);
  const endings: (() => unknown)[] = [() => app.close(), ...endingsOf(task)];
  try {
    endings.unshift(() => stopServing(app, server));
    if (config.listen === undefined) takePort(config, server.port);
    const first = declared === undefined ? await findFirstRealm(app) : undefined;
    const isFirst = first !== undefined;
    // A port that cannot be opened refuses the start before there is an organization, whose host
    // would stay although the address in the configuration may still be wrong.
    const mailPort = await receiveMail(app, endings);
    // On a first start, requests are answered only after the organization exists, so that nobody
    // learns that a new server has none.
    if (first) await makeRealm(app, first);
    if (!declared) await answerRequests(app, server);
    const applied = await provision(app, task, first);
    // A declared organization is complete with the first answer, and the credentials are written.
    if (declared) await answerRequests(app, server);
    endings.unshift(app.startBackground());
    const url = addressOf(config, server.port);
    const links = await oneTimeLinks(task, app, url, isFirst);
    const others = links.length > 0 ? otherNamesOf(config, networkInterfaces) : [];
    log.info("started", startFacts(task, url));
    const managerFacts = serviceManagerFacts();
    const showsKey = managerFacts.socket === undefined && isReadNow(options);
    const uncertified = task.certificates?.missing() ?? [];
    const { listen: socket, data } = config;
    const facts = { url, data, socket, uncertified, others, mailPort, links, showsKey };
    // A server serves although nobody reads that it is ready; its log says so.
    const ready = announcement(options, facts, isFirst ? applied : undefined);
    writeLineUnwaited(ready, () => log.warn("ready_not_printed"));
    const manager = await findServiceManager(managerFacts, log);
    manager.ready();
    void closeDeepData(log, config.data).catch(logFailure(log, "data_not_closed"));
    signals.onReload(() => reload({ ...task, app, log, manager }));
    await signals.stop;
    log.info("stopping");
    manager.stopping();
  } finally {
    await endAll(log, endings);
  }
}

/**
 * Whether the output is read at once: by a person at a terminal, or a program that asks for JSON.
 * Other output ends in a log, which keeps it.
 */
const isReadNow = ({ json }: ServeOptions): boolean =>
  process.stdout.isTTY === true || (json === true && !isJournal(fstatSync(1, { bigint: true })));

const endingsOf = ({ certificates, redirects, watching }: Task): (() => unknown)[] => [
  () => certificates?.end(),
  () => redirects?.close(),
  () => watching.end(),
];

async function endAll(log: Log, endings: readonly (() => unknown)[]) {
  for (const end of endings) await Promise.resolve(end()).catch(logFailure(log, "stop_failed"));
}

/**
 * Starts to answer requests; the waiting ones come first. The port is noted only now, so that a
 * server that is refused earlier leaves the note of the server that runs on this data.
 */
async function answerRequests(app: RunningApp, server: HttpServer) {
  const refusal = app.config.listen === undefined ? notePort(app.config) : undefined;
  if (refusal) app.log.warn("port_not_noted", describeError(refusal));
  server.open(app);
  await turn();
}

/**
 * Creates the declared organization, or at a first start the first organization with its owner. The
 * code for this is loaded only if needed.
 */
async function provision(
  app: RunningApp,
  { declared, file, server, options }: Task,
  first: FirstRealm | undefined,
) {
  const organization =
    first === undefined
      ? declared
      : (await import("../src/moving/organization/first")).firstOrganization(first);
  if (!organization) return undefined;
  const { adviceForOwnerless, applyOrganization } = await import(
    "../src/moving/organization/apply"
  );
  const withCredentials = first ? "added" : file && "all";
  const applied = await applyOrganization(app, organization, {
    withCredentials,
    passwordsLater: true,
  });
  if (!applied.hasOwner)
    app.log.warn("no_owner", { realm: applied.realm.host, what_to_do: adviceForOwnerless });
  if (options.fixture !== undefined)
    await (await import("../src/moving/fixtures/fill")).fillFixture(app, applied.realm);
  file?.write(siteFor(app, applied, server.port), applied);
  return applied;
}

/** Links for people at this terminal; if they cannot be made, the server starts anyway. */
async function oneTimeLinks(
  { watching: { log }, options, declared }: Task,
  app: RunningApp,
  site: string,
  isFirst: boolean,
): Promise<OneTimeLink[]> {
  const isEphemeral = options.ephemeral === true;
  const isTerminal = process.stdout.isTTY === true;
  if (!isFirst && !isTerminal && !isEphemeral) return [];
  const { makeOneTimeLinks } = await import("./one-time-links");
  return makeOneTimeLinks({ app, site, isFirst, isEphemeral, declared, isTerminal }).catch(
    (error: unknown) => {
      log.warn("no_one_time_links", describeError(error));
      return [];
    },
  );
}

/** Opens the port for mail, if there is one; answers its number. */
async function receiveMail(
  app: RunningApp,
  endings: (() => unknown)[],
): Promise<number | undefined> {
  if (app.config.smtpPort === undefined) return undefined;
  const { startMailServer } = await import("../src/mail/mail-in/server");
  const mail = await startMailServer(app);
  endings.unshift(() => mail.close());
  return mail.port;
}

/** Readiness ends first, so that a load balancer has time to send requests elsewhere. */
async function stopServing(app: RunningApp, server: HttpServer) {
  server.drain();
  await afterSeconds(app.config.drainSeconds);
  app.events.close();
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const cancel = systemClock.after(stopMilliseconds, resolve);
  await Promise.race([server.stop(), timeIsUp]);
  cancel();
}

async function afterSeconds(seconds: number) {
  if (seconds > 0) await new Promise<void>((resolve) => systemClock.after(seconds * 1000, resolve));
}

/** The facts that readers of a server's log need first. */
const startFacts = ({ config, configFile, redirects, watching }: Task, url: string) => ({
  version,
  commit: commit ?? "none: from its sources",
  address: config.listen ?? url,
  ...(redirects && { http_port: redirects.port }),
  data: resolve(config.data),
  database: config.database === undefined ? "SQLite" : "PostgreSQL",
  config_file: configFile ?? "none",
  ...(watching.metricsUrl !== undefined && { metrics: watching.metricsUrl }),
});

/** The address for a person at this machine. */
function addressOf(config: Config, port: number): string {
  const { url, host, listen } = config;
  if (url !== undefined) return url;
  if (listen !== undefined) return "http://localhost";
  const name = isEverywhere(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return addressAt(config, name, port);
}

const isEverywhere = (host: string): boolean => ["0.0.0.0", "::", ""].includes(host);

/**
 * Names by which other machines reach a server that listens at all addresses of this machine; none
 * if the system does not reveal its addresses, as in a sandbox without AF_NETLINK.
 */
export function otherNamesOf(
  { url, host, listen }: Pick<Config, "url" | "host"> & Partial<Pick<Config, "listen">>,
  listInterfaces: typeof networkInterfaces,
): string[] {
  if (url !== undefined || listen !== undefined || !isEverywhere(host)) return [];
  try {
    const addresses = Object.values(listInterfaces()).flatMap((some = []) => some);
    return addresses
      .filter(({ family, internal }) => family === "IPv4" && !internal)
      .map(({ address }) => address);
  } catch {
    return [];
  }
}

/** The address for clients, which find the organization by its host. */
const siteFor = (app: RunningApp, { realm }: Applied, port: number) =>
  app.config.url === undefined ? addressAt(app.config, realm.host, port) : siteOf({ app, realm });
