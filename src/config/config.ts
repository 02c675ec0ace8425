import type { LogLevel } from "../core/log";
import { parseNetworks } from "../core/network/address";
import { camelCase } from "../core/text/snake-case";
import { listUnknownVariables, readVariable } from "./environment";
import { chooseConfigFile, readConfigFile } from "./file";
import { ConfigError, type Option, type Value } from "./option";
import { type Config, groups, type OptionName, options } from "./options";

export { ConfigError } from "./option";
export { type Config, type OptionName, options } from "./options";

/** Values from the command line, by configuration key. */
export type Flags = Partial<Record<OptionName, string | undefined>>;

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

const domainLengthMax = 190;

/**
 * Whether the one who started the program wants no colours: https://no-color.org, and terminals
 * that have none.
 */
export const isColorUnwanted = ({ NO_COLOR, TERM }: NodeJS.ProcessEnv = process.env): boolean =>
  (NO_COLOR !== undefined && NO_COLOR !== "") || TERM === "dumb";

/** Place and wishes of the service manager that has started the program (sd_notify(3)). */
export interface ServiceManagerFacts {
  socket: string | undefined;
  /** Undefined where it watches nothing. */
  watchdogMicroseconds: number | undefined;
}

export function serviceManagerFacts(): ServiceManagerFacts {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID } = process.env;
  const isMeant = WATCHDOG_PID === undefined || Number(WATCHDOG_PID) === process.pid;
  const microseconds = isMeant ? Number(WATCHDOG_USEC ?? 0) : 0;
  return {
    socket: NOTIFY_SOCKET === "" ? undefined : NOTIFY_SOCKET,
    watchdogMicroseconds: microseconds > 0 ? microseconds : undefined,
  };
}

/**
 * Whether a file, as its device and inode, is the journal to which systemd has connected the output
 * of a service. Programs that the service starts inherit the variable, also on a terminal.
 */
export const isJournal = (
  { dev, ino }: { dev: number | bigint; ino: number | bigint },
  { JOURNAL_STREAM }: NodeJS.ProcessEnv = process.env,
): boolean => JOURNAL_STREAM === `${dev}:${ino}`;

/**
 * A value of the configuration and where it comes from: a flag, a variable, a key in a file, or
 * `default`.
 */
export interface Setting {
  name: OptionName;
  value: Value;
  source: string;
}

/**
 * Every value of the configuration with its source, by the rules of `loadConfig`; what is secret in
 * it is hidden. Values that cannot be used are left out and told as problems.
 */
export function describeConfig(
  flags: Flags,
  configFile?: string,
  environment: NodeJS.ProcessEnv = process.env,
): { settings: Setting[]; problems: string[] } {
  const { settings, problems } = resolveAll(flags, configFile, environment, "lasting");
  return {
    settings: settings.map((one) => ({ ...one, value: hidden(one.name, one.value) })),
    problems,
  };
}

/** Kind of the server that a configuration is for. */
type ServerKind = "lasting" | "throwaway";

/** Whether a server takes an option from the environment and the file, not from flags alone. */
function isTaken(name: OptionName, flags: Flags, kind: ServerKind): boolean {
  const takesIt = optionOf(name).throwawayTakesIt;
  if (kind === "lasting") return true;
  if (typeof takesIt === "boolean") return takesIt;
  return isOptionName(takesIt.with) && flags[takesIt.with] !== undefined;
}

function resolveAll(
  flags: Flags,
  configFile: string | undefined,
  environment: NodeJS.ProcessEnv,
  kind: ServerKind,
): { settings: Setting[]; problems: string[] } {
  const problems: string[] = [];
  const attempt = <Result>(read: () => Result): Result | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const path = configFile ?? (environment["CHATD_CONFIG"] || undefined);
  const file = path === undefined ? undefined : attempt(() => readConfigFile(path, optionNames));
  problems.push(...(file?.problems ?? []));
  const values = file?.values ?? {};
  const settings = optionNames.flatMap((name) => {
    const [variables, keys] = isTaken(name, flags, kind) ? [environment, values] : [{}, {}];
    const found = attempt(() => resolveOption(name, flags, variables, keys, path));
    return found === undefined ? [] : [{ name, ...found }];
  });
  return { settings: withHttpsDefaults(settings), problems };
}

/**
 * Adds what follows for a server that speaks https: its port is the usual one where nobody gives
 * it. Where it gets a certificate for one host by itself, that host is its address.
 */
function withHttpsDefaults(settings: Setting[]): Setting[] {
  const given = (name: OptionName) => settings.find((one) => one.name === name);
  const [hosts, port] = [given("https")?.value, given("port")];
  if (hosts === undefined && given("tls_certificate")?.value === undefined) return settings;
  const served = port?.source === "default" ? httpsPort : port?.value;
  const [host, ...others] = hosts === undefined ? [] : String(hosts).toLowerCase().split(/, ?/);
  const hasAddress = host !== undefined && others.length === 0 && served !== 0;
  const suffix = served === httpsPort ? "" : `:${served}`;
  const defaults: Partial<Record<OptionName, Value>> = {
    port: served,
    ...(hosts !== undefined && { http_port: httpPort }),
    ...(hasAddress && { url: `https://${host}${suffix}` }),
  };
  return settings.map((one) =>
    one.source === "default" && defaults[one.name] !== undefined
      ? { ...one, value: defaults[one.name] }
      : one,
  );
}

const httpPort = 80;
/** Usual port of https. */
export const httpsPort = 443;

const isOptionName = (name: string): name is OptionName => Object.hasOwn(options, name);

export const optionNames: readonly OptionName[] = Object.keys(options).filter(isOptionName);

/** Names of the options about each subject, in the order in which the help lists them. */
export const optionGroups = groups.map((group) => ({
  heading: group.heading,
  names: Object.keys(group.options).filter(isOptionName),
}));

const optionOf = (name: OptionName): Option => options[name];

/** Whether an option is given in the environment or in the file only, and never shown. */
export const isSecret = (name: OptionName): boolean => optionOf(name).isSecret === true;

/** Whether most people need an option, so that `--help` shows it. */
export const isUsual = (name: OptionName): boolean => optionOf(name).isUsual === true;

/** A value as it may be shown. */
function hidden(name: OptionName, value: Value): Value {
  if (value === undefined) return undefined;
  if (isSecret(name)) return "(hidden)";
  return name === "database" ? String(value).replace(passwordInUrl, "$1(hidden)$3") : value;
}

const passwordInUrl = /^([^:]+:\/\/[^/@:]*:)([^@]*)(@)/;

/** Whether an address has a password in it. */
export const hasPassword = (url: string): boolean =>
  passwordInUrl.test(url) || /[?&]password=/.test(url);

/**
 * The configuration file: `given`, or the one of CHATD_CONFIG, or the first usual one that is
 * there.
 */
export const usualConfigFile = (given: string | undefined): string | undefined =>
  chooseConfigFile(given, process.env);

/**
 * The configuration: flags win over `CHATD_*` in the environment, that over the TOML file
 * (`configFile`, or the one of `CHATD_CONFIG`; usual files are not looked for). Refuses unknown
 * keys and values out of range with an error that names each place, all of them at once.
 */
export const loadConfig = (
  flags: Flags,
  configFile?: string,
  environment: NodeJS.ProcessEnv = process.env,
): Config => configFrom(resolveAll(flags, configFile, environment, "lasting"));

/**
 * The configuration of a throwaway server, which takes of the environment and the file only what
 * `throwawayTakesIt` allows.
 */
export const loadThrowawayConfig = (
  flags: Flags,
  configFile?: string,
  environment: NodeJS.ProcessEnv = process.env,
): Config => configFrom(resolveAll(flags, configFile, environment, "throwaway"));

function configFrom({ settings, problems }: ReturnType<typeof resolveAll>): Config {
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  const values = Object.fromEntries(settings.map(({ name, value }) => [keyOf(name), value]));
  if (!isConfig(values)) throw new Error("An option has no value.");
  return Object.freeze(values);
}

/** The options that somebody has given, by a flag, a variable or in a file. */
export const namesGiven = (
  flags: Flags,
  configFile?: string,
  kind: ServerKind = "lasting",
  environment: NodeJS.ProcessEnv = process.env,
): Set<OptionName> =>
  new Set(
    resolveAll(flags, configFile, environment, kind)
      .settings.filter(({ source }) => source !== "default")
      .map(({ name }) => name),
  );

/** The options in the environment and the file that a throwaway server does not take. */
export function namesLeftOut(
  flags: Flags,
  configFile?: string,
  environment: NodeJS.ProcessEnv = process.env,
): OptionName[] {
  const given = namesGiven(flags, configFile, "lasting", environment);
  const taken = namesGiven(flags, configFile, "throwaway", environment);
  return optionNames.filter((name) => given.has(name) && !taken.has(name));
}

/** Whether the value of an option may stand in a file that `CHATD_…_FILE` names. */
const isFromFile = (name: OptionName) => isSecret(name) || name === "database";

/** A sentence for each variable of the environment that looks like chatd's own but is none. */
export const unknownVariables = (environment: NodeJS.ProcessEnv = process.env): string[] =>
  listUnknownVariables(optionNames, optionNames.filter(isFromFile), environment);

/** `log_level` is `logLevel` in the configuration. */
export const keyOf = (name: OptionName): string => camelCase(name);

/** Each value has been checked for its option before. */
const isConfig = (values: Record<string, Value>): values is Config & Record<string, Value> =>
  optionNames.every((name) => keyOf(name) in values);

function resolveOption(
  name: OptionName,
  flags: Flags,
  environment: NodeJS.ProcessEnv,
  file: Record<string, unknown>,
  path: string | undefined,
): { value: Value; source: string } {
  const option = optionOf(name);
  const given = [
    { value: flags[name], source: `--${name.replaceAll("_", "-")}` },
    readVariable(name, isFromFile(name), environment),
    { value: file[name], source: `${name} in ${path}` },
  ].find(({ value }) => value !== undefined);
  if (given === undefined) return { value: option.fallback, source: "default" };
  return { value: checkValue(option, given.value, given.source), source: given.source };
}

/** All possible values of an option; empty where they cannot be listed. */
export function valuesOf({ type, values = [] }: Option): readonly string[] {
  if (type === "flag") return ["true", "false"];
  return type === "level" ? levels : values;
}

function checkValue(option: Option, value: unknown, source: string): Value {
  const values = valuesOf(option);
  if (values.length > 0 && option.type !== "flag") {
    if (values.some((one) => one === value)) return String(value);
    throw new ConfigError(`${source} must be one of ${values.join(", ")}.`);
  }
  if (option.type === "address") return checkAddress(option, value, source);
  if (option.type === "text") {
    const { pattern = /\S/, words = "a text" } = option.form ?? {};
    if (typeof value === "string" && pattern.test(value)) return value;
    throw new ConfigError(`${source} must be ${words}.`);
  }
  if (option.type === "domain") return checkDomain(value, source);
  if (option.type === "networks") return checkNetworks(value, source);
  if (option.type === "flag") return checkFlag(value, source);
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = option;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= min && number <= max)
    return number;
  const isOfKubernetes = source === "CHATD_PORT" && /^tcp:\/\//.test(String(value));
  const advice = isOfKubernetes
    ? " Kubernetes sets it so for a service named chatd: set enableServiceLinks: false in the pod."
    : "";
  throw new ConfigError(`${source} must be a whole number from ${min} to ${max}.${advice}`);
}

function checkAddress({ form }: Option, value: unknown, source: string): string | undefined {
  if (value === "none") return undefined;
  const { pattern = /./, words = "a text" } = form ?? {};
  const address = typeof value === "string" ? value.replace(/\/+$/, "") : "";
  if (pattern.test(address)) return address;
  throw new ConfigError(`${source} must be ${words}.`);
}

function checkDomain(value: unknown, source: string): string {
  const domain = String(value).toLowerCase();
  if (/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(domain) && domain.length <= domainLengthMax)
    return domain;
  throw new ConfigError(`${source} must be a domain, as in chat.example.com.`);
}

function checkFlag(value: unknown, source: string): boolean {
  const text = String(value).toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  throw new ConfigError(`${source} must be true or false.`);
}

function checkNetworks(value: unknown, source: string): string {
  try {
    parseNetworks(String(value));
    return String(value);
  } catch (error) {
    throw new ConfigError(
      `${source} must be addresses or networks: ${error instanceof Error ? error.message : error}`,
    );
  }
}
