import {
  type Config,
  ConfigError,
  type Flags,
  loadConfig,
  loadThrowawayConfig,
  namesGiven,
  namesLeftOut,
  options as settings,
  unknownVariables,
} from "../src/config/config";
import type { Log } from "../src/core/log";
import { isLoopbackAddress } from "../src/core/network/address";
import { speaksHttps } from "../src/core/network/site";
import { becomeSoleServer, isOtherStopping } from "../src/sole-server";
import { closeData } from "./close-data";
import { configFileOf } from "./command-config";
import { accountCountOf, type CredentialsFile, openCredentialsFile } from "./credentials-file";
import { flagsOf } from "./flags";
import type { CommonOptions } from "./options";
import { UsageError } from "./output";
import { catchServeSignals } from "./serve-signals";
import { openCertificates, openRedirects } from "./served-certificates";
import { listStartupProblems, listStartupWarnings } from "./startup-problems";
import { logFailure, makeServerLog } from "./stderr-log";
import { beginWatching } from "./watching";
import { requireOwner, workAsOwner } from "./work-as-owner";

export type ServeOptions = CommonOptions & {
  apply?: string;
  credentials?: string;
  ephemeral?: boolean;
  /** Name of the fixture that fills a throwaway server. */
  fixture?: string;
};

/**
 * `chatd serve`: runs until SIGTERM or SIGINT, then stops in order; a second signal ends it at
 * once. SIGHUP reads the configuration again. It listens before the data is open; requests that
 * come meanwhile are answered then. It waits for a server that is stopping before it listens.
 */
export async function serve(options: ServeOptions) {
  requireUse(options);
  const signals = catchServeSignals();
  const declared = await readDeclared(options);
  let file: CredentialsFile | undefined;
  let letNextIn: (() => void) | undefined;
  try {
    const configFile = configFileOf(options);
    const readConfig = await configReader(options, configFile);
    // Not frozen like other configurations, because SIGHUP changes settings in it.
    const config = { ...readConfig() };
    const log = makeServerLog(() => config.logLevel, options);
    logStrayErrors(log);
    requireLastingCertificate(options, config);
    if (options.fixture !== undefined) requireLoopback(config);
    const problems = listStartupProblems(config);
    if (problems.length > 0) throw new ConfigError(problems.join("\n"));
    if (options.ephemeral) noteLeftOut(log, namesLeftOut(flagsOf(options), configFile));
    for (const what of listStartupWarnings(config)) log.warn("configuration", { what });
    for (const what of unknownVariables()) log.warn("unknown_variable", { what });
    const waitForOthers = () => becomeSoleServer(config, { log, stop: signals.stop });
    // Listeners that share a port, as during a change of certificates, must belong to one account.
    if (speaksHttps(config)) requireOwner(config.data);
    // A server that is stopping may still have the ports. Two servers with https that start at once
    // would both open the port, and one of them be refused later.
    if (isOtherStopping(config) || speaksHttps(config)) {
      letNextIn = await waitForOthers();
      if (!letNextIn) return;
    }
    const watching = await beginWatching(config, log);
    const { listenAt } = await import("../src/server");
    const certificates = await openCertificates(config, watching.log);
    const tls = certificates?.read(config);
    const hasFixture = options.fixture !== undefined;
    const { watch } = watching;
    const server = await listenAt(config, { log: watching.log, watch, tls, hasFixture });
    const redirects = await openRedirects(config, server.port, certificates);
    noteAccount(log, config.data, workAsOwner(config.data));
    letNextIn ??= await waitForOthers();
    if (!letNextIn) return;
    if (options.credentials !== undefined)
      file = openCredentialsFile(options.credentials, accountCountOf(declared));
    certificates?.begin(server);
    closeData(watching.log, config.data);
    const { runServer } = await import("./run-server");
    const given = { config, readConfig, configFile, options, declared, file };
    await runServer({ ...given, watching, server, certificates, redirects, signals });
  } finally {
    file?.discard();
    letNextIn?.();
  }
}

/** Tells which settings of a real server a throwaway server has not taken. */
function noteLeftOut(log: Log, names: readonly string[]) {
  if (names.length === 0) return;
  log.warn("configuration", {
    what: `A throwaway server takes these settings from its own flags only, so it does not use the values in the environment and the configuration file: ${names.join(", ")}.`,
  });
}

/** Tells root, who has started the server, that it works as the owner of its data. */
function noteAccount(log: Log, data: string, account: string | number | undefined) {
  if (account === undefined) return;
  log.warn("works_as_owner", {
    account,
    data,
    what: "Root has started the server, but the data belongs to another account. The server continues as that account, because files of root could not be changed later. Start it as that account.",
  });
}

/** The declared organization: from a file, or from the fixture. */
async function readDeclared({ apply, fixture }: ServeOptions) {
  if (apply !== undefined) return (await import("./organization-file")).readOrganizationFile(apply);
  if (fixture === undefined) return undefined;
  return (await import("../src/moving/fixtures/dev")).devOrganization();
}

function requireUse({ ephemeral, data, database, credentials, apply, fixture }: ServeOptions) {
  if (fixture !== undefined && (!ephemeral || apply !== undefined)) {
    throw new UsageError(
      "--fixture needs --ephemeral, and no --apply: it lets everybody in without a password, so that it is for a throwaway server alone.",
    );
  }
  if (ephemeral && (data !== undefined || database !== undefined)) {
    throw new UsageError(
      "--ephemeral uses a data folder of its own: leave out --data and --database.",
    );
  }
  if (credentials !== undefined && apply === undefined && !ephemeral) {
    throw new UsageError(
      "--credentials needs --apply, because it writes API keys of the people and bots in the organization's file.",
    );
  }
}

/** Default options of a server with a fixture, because tests send more than people do. */
const fixtureDefaults: Flags = {
  host: "127.0.0.1",
  channel_email_domain: "zulipdev.com",
  web_public_streams_enabled: "true",
  requests_per_minute_per_user: "0",
  requests_per_minute_per_key: "0",
  requests_per_minute_per_address: "0",
};

/**
 * A fixture gives access to everybody who reaches the server, so it must be this machine alone.
 * Other names are refused, because the system decides where they lead.
 */
function requireLoopback({ host, listen, url, trustedProxies }: Config) {
  const isHere = (host === "localhost" || isLoopbackAddress(host)) && listen === undefined;
  if (isHere && url === undefined && trustedProxies === undefined) return;
  throw new UsageError(
    "--fixture lets everybody in without a password, so that it listens on this machine alone: leave out --host, --listen, --url and --trusted-proxies, or give --host 127.0.0.1.",
  );
}

/** Authorities issue a few certificates per week and host, and a throwaway server keeps none. */
function requireLastingCertificate({ ephemeral }: ServeOptions, { https, acmeDirectory }: Config) {
  if (!ephemeral || https === undefined || acmeDirectory !== settings.acme_directory.fallback)
    return;
  throw new UsageError(
    "--ephemeral would ask Let's Encrypt for another certificate at each start, which allows five in a week: give --data in its place, or another authority with --acme-directory.",
  );
}

/**
 * Reads the configuration again with each call. A throwaway server keeps the data folder that was
 * made for it.
 */
async function configReader(
  options: ServeOptions,
  configFile: string | undefined,
): Promise<() => Config> {
  if (!options.ephemeral) return () => loadConfig(flagsOf(options), configFile);
  const data = await (await import("../src/throwaway-folder")).makeThrowawayFolder();
  return () => {
    const flags = { ...flagsWithFixture(options, configFile), data };
    return loadThrowawayConfig(flags, configFile);
  };
}

/**
 * The flags with those of the fixture. The address of another server, in the environment or the
 * file, does not count.
 */
function flagsWithFixture(options: ServeOptions, configFile: string | undefined): Flags {
  const flags = flagsOf(options);
  if (options.fixture === undefined) return flags;
  const given: Set<string> = namesGiven(flags, configFile, "throwaway");
  if (flags.host === undefined) given.delete("host");
  const others = Object.entries(fixtureDefaults).filter(([name]) => !given.has(name));
  return { ...flags, ...Object.fromEntries(others) };
}

/** An error in background work is logged; the server continues for everybody else. */
export function logStrayErrors(log: Log) {
  process.on("unhandledRejection", logFailure(log, "unhandled_rejection"));
  process.on("uncaughtException", logFailure(log, "uncaught_exception"));
}
