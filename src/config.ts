import { existsSync, readFileSync } from "node:fs";
import { parseNetworks } from "./core/address";
import type { LogLevel } from "./core/log";

/** Everything that an operator can set, frozen. */
export type Config = Readonly<{
  host: string;
  port: number;
  data: string;
  database: string | undefined;
  secret: string | undefined;
  /** The address that people reach the server by, when it is behind a proxy; else it is taken from each request. */
  url: string | undefined;
  logLevel: LogLevel;
  requestSizeBytesMax: number;
  maxFileUploadSizeMib: number;
  maxAvatarFileSizeMib: number;
  maxIconFileSizeMib: number;
  maxLogoFileSizeMib: number;
  botStorageSizeBytesMax: number;
  heartbeatSeconds: number;
  queueIdleSeconds: number;
  queueEventsMax: number;
  queuesPerUserMax: number;
  passwordHashesAtOnce: number;
  passwordChecksWaitingMax: number;
  failedSignInsPerAddressMax: number;
  sessionLifeSeconds: number;
  sessionIdleSeconds: number;
  sessionsPerUserMax: number;
  requestsPerMinutePerUser: number;
  requestsPerMinutePerKey: number;
  requestsPerMinutePerAddress: number;
  webPublicStreamsEnabled: boolean;
  /** Whether the pictures of people without one of their own may come from Gravatar. */
  gravatarEnabled: boolean;
  /** The domain of the addresses under which channels receive mail; undefined where they receive none. */
  channelEmailDomain: string | undefined;
  canAccessAllUsersGroupLimitsPresence: boolean;
  /** The video call server for realms that name none of their own; undefined for none. */
  jitsiServerUrl: string | undefined;
  /** Addresses that one person, and one organization, may write invitations to in a day; 0 for any number. */
  invitationsPerDayPerUser: number;
  invitationsPerDayPerRealm: number;
  minDeactivatedRealmDeletionDays: number;
  maxDeactivatedRealmDeletionDays: number | undefined;
  /** Proxies whose word about the client's address counts, as `parseNetworks` reads them. */
  trustedProxies: string | undefined;
}>;

type OptionType = "text" | "domain" | "integer" | "level" | "networks" | "flag";

type Value = string | number | boolean | undefined;

interface Option {
  type: OptionType;
  fallback: Value;
  help: string;
  min?: number;
  max?: number;
}

/** The options by their configuration key: `--port`, `CHATD_PORT`, `port = 8080` in the file. */
export const options = {
  host: { type: "text", fallback: "0.0.0.0", help: "address to listen on" },
  port: { type: "integer", fallback: 8080, help: "port to listen on (0: any free one)", min: 0, max: 65535 },
  data: { type: "text", fallback: "./data", help: "folder of the database, the secret and files" },
  database: { type: "text", fallback: undefined, help: "postgres://… to use PostgreSQL instead of SQLite" },
  secret: {
    type: "text",
    fallback: undefined,
    help: "the server's secret (default: the file `secret` in the data folder)",
  },
  url: { type: "text", fallback: undefined, help: "public address, e.g. https://chat.example.com" },
  log_level: { type: "level", fallback: "info", help: "debug, info, warn or error" },
  request_size_bytes_max: { type: "integer", fallback: 1_048_576, help: "largest request body", min: 16_384 },
  max_file_upload_size_mib: { type: "integer", fallback: 100, help: "largest file", min: 0 },
  bot_storage_size_bytes_max: { type: "integer", fallback: 10_000_000, help: "what a bot may store", min: 0 },
  max_avatar_file_size_mib: { type: "integer", fallback: 5, help: "largest picture of a user", min: 0, max: 50 },
  max_icon_file_size_mib: { type: "integer", fallback: 5, help: "largest icon of an organization", min: 0, max: 50 },
  max_logo_file_size_mib: { type: "integer", fallback: 5, help: "largest logo of an organization", min: 0, max: 50 },
  heartbeat_seconds: {
    type: "integer",
    fallback: 50,
    help: "silence after which a held poll is answered",
    min: 1,
    max: 55,
  },
  queue_idle_seconds: { type: "integer", fallback: 600, help: "life of an event queue that nobody polls", min: 1 },
  queue_events_max: { type: "integer", fallback: 10_000, help: "events a queue may be behind", min: 100 },
  queues_per_user_max: { type: "integer", fallback: 1_000, help: "event queues of one user at a time", min: 1 },
  password_hashes_at_once: {
    type: "integer",
    fallback: 2,
    help: "passwords hashed at the same time",
    min: 1,
    max: 64,
  },
  password_checks_waiting_max: {
    type: "integer",
    fallback: 64,
    help: "passwords that may wait to be hashed; further ones are refused",
    min: 1,
  },
  failed_sign_ins_per_address_max: {
    type: "integer",
    fallback: 100,
    help: "failed sign-ins of an address in half an hour (0: any number)",
  },
  session_life_seconds: {
    type: "integer",
    fallback: 2_592_000,
    help: "seconds after which a browser has to sign in again",
    min: 60,
    max: 31_536_000,
  },
  session_idle_seconds: {
    type: "integer",
    fallback: 1_209_600,
    help: "seconds without a request after which a browser has to sign in again",
    min: 60,
    max: 31_536_000,
  },
  sessions_per_user_max: {
    type: "integer",
    fallback: 100,
    help: "browsers that a user may be signed in with; the oldest make room",
    min: 1,
  },
  requests_per_minute_per_user: {
    type: "integer",
    fallback: 2_400,
    help: "requests of a user on a node (0: any number)",
  },
  requests_per_minute_per_key: {
    type: "integer",
    fallback: 1_200,
    help: "requests with an API key on a node (0: any number)",
  },
  requests_per_minute_per_address: {
    type: "integer",
    fallback: 600,
    help: "requests of an address without signing in on a node (0: any number)",
  },
  invitations_per_day_per_user: {
    type: "integer",
    fallback: 100,
    help: "addresses that somebody may invite in a day (0: any number)",
  },
  invitations_per_day_per_realm: {
    type: "integer",
    fallback: 1_000,
    help: "addresses that an organization may invite in a day (0: any number)",
  },
  channel_email_domain: {
    type: "domain",
    fallback: undefined,
    help: "the domain of channels' e-mail addresses (without it they have none)",
  },
  web_public_streams_enabled: { type: "flag", fallback: false, help: "whether channels may be open to the web" },
  gravatar_enabled: { type: "flag", fallback: true, help: "whether pictures of people may come from Gravatar" },
  can_access_all_users_group_limits_presence: {
    type: "flag",
    fallback: true,
    help: "whether people see the presence only of those whom they may see",
  },
  jitsi_server_url: { type: "text", fallback: "https://meet.jit.si", help: "server of video calls, or none" },
  min_deactivated_realm_deletion_days: {
    type: "integer",
    fallback: 14,
    help: "days that the data of a deactivated organization is kept at the least",
  },
  max_deactivated_realm_deletion_days: {
    type: "integer",
    fallback: undefined,
    help: "days after which the data of a deactivated organization is deleted at the latest (default: kept)",
  },
  trusted_proxies: {
    type: "networks",
    fallback: undefined,
    help: "proxies whose X-Forwarded-For counts, e.g. 127.0.0.1,10.0.0.0/8",
  },
} satisfies Record<string, Option>;

export type OptionName = keyof typeof options;

/** What was given on the command line, by configuration key. */
export type Flags = Partial<Record<OptionName, string | undefined>>;

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

const domainLengthMax = 190;

export class ConfigError extends Error {}

/** Whether the one who started the program wants no colours: https://no-color.org, and terminals that have none. */
export const isColorUnwanted = ({ NO_COLOR, TERM }: NodeJS.ProcessEnv = process.env): boolean =>
  (NO_COLOR !== undefined && NO_COLOR !== "") || TERM === "dumb";

/** A value of the configuration and where it comes from: a flag, a variable, a key in a file, or `default`. */
export interface Setting {
  name: OptionName;
  value: Value;
  source: string;
}

/**
 * Every value of the configuration with its source, by the rules of `loadConfig`; what is secret in it is hidden. Values
 * that cannot be used are left out and told as problems.
 */
export function describeConfig(
  flags: Flags,
  configFile?: string,
  environment: NodeJS.ProcessEnv = process.env,
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
  const path = configFile ?? environment["CHATD_CONFIG"];
  const file = (path === undefined ? undefined : attempt(() => readConfigFile(path))) ?? {};
  const settings = optionNames.flatMap((name) => {
    const found = attempt(() => resolveOption(name, flags, environment, file, path));
    return found === undefined ? [] : [{ name, value: hidden(name, found.value), source: found.source }];
  });
  return { settings, problems };
}

const isOptionName = (name: string): name is OptionName => Object.hasOwn(options, name);

export const optionNames: readonly OptionName[] = Object.keys(options).filter(isOptionName);

/** A value as it may be shown. */
function hidden(name: OptionName, value: Value): Value {
  if (value === undefined) return undefined;
  if (name === "secret") return "(hidden)";
  return name === "database" ? String(value).replace(passwordInUrl, "$1(hidden)$3") : value;
}

const passwordInUrl = /^([^:]+:\/\/[^/@:]*:)([^@]*)(@)/;

/** Whether an address has a password in it. */
export const hasPassword = (url: string): boolean => passwordInUrl.test(url) || /[?&]password=/.test(url);

/**
 * The configuration: flags win over `CHATD_*` in the environment, that over the TOML file (`--config`, or `CHATD_CONFIG`).
 * Refuses unknown keys and values out of range with an error that names the place.
 */
export function loadConfig(flags: Flags, configFile?: string, environment: NodeJS.ProcessEnv = process.env): Config {
  const path = configFile ?? environment["CHATD_CONFIG"];
  const file = path === undefined ? {} : readConfigFile(path);
  const read = (name: OptionName) => resolveOption(name, flags, environment, file, path).value;
  const text = (name: OptionName) => {
    const value = read(name);
    return value === undefined ? undefined : String(value);
  };
  const whole = (name: OptionName) => Number(read(name));
  const wholeOrNone = (name: OptionName) => (read(name) === undefined ? undefined : whole(name));
  return Object.freeze({
    host: text("host") ?? "",
    port: whole("port"),
    data: text("data") ?? "",
    database: text("database"),
    secret: text("secret"),
    url: text("url")?.replace(/\/+$/, ""),
    logLevel: levels.find((level) => level === text("log_level")) ?? "info",
    requestSizeBytesMax: whole("request_size_bytes_max"),
    maxFileUploadSizeMib: whole("max_file_upload_size_mib"),
    botStorageSizeBytesMax: whole("bot_storage_size_bytes_max"),
    maxAvatarFileSizeMib: whole("max_avatar_file_size_mib"),
    maxIconFileSizeMib: whole("max_icon_file_size_mib"),
    maxLogoFileSizeMib: whole("max_logo_file_size_mib"),
    heartbeatSeconds: whole("heartbeat_seconds"),
    queueIdleSeconds: whole("queue_idle_seconds"),
    queueEventsMax: whole("queue_events_max"),
    queuesPerUserMax: whole("queues_per_user_max"),
    passwordHashesAtOnce: whole("password_hashes_at_once"),
    passwordChecksWaitingMax: whole("password_checks_waiting_max"),
    failedSignInsPerAddressMax: whole("failed_sign_ins_per_address_max"),
    sessionLifeSeconds: whole("session_life_seconds"),
    sessionIdleSeconds: whole("session_idle_seconds"),
    sessionsPerUserMax: whole("sessions_per_user_max"),
    requestsPerMinutePerUser: whole("requests_per_minute_per_user"),
    requestsPerMinutePerKey: whole("requests_per_minute_per_key"),
    requestsPerMinutePerAddress: whole("requests_per_minute_per_address"),
    invitationsPerDayPerUser: whole("invitations_per_day_per_user"),
    invitationsPerDayPerRealm: whole("invitations_per_day_per_realm"),
    channelEmailDomain: text("channel_email_domain"),
    webPublicStreamsEnabled: read("web_public_streams_enabled") === true,
    gravatarEnabled: read("gravatar_enabled") === true,
    canAccessAllUsersGroupLimitsPresence: read("can_access_all_users_group_limits_presence") === true,
    jitsiServerUrl: text("jitsi_server_url") === "none" ? undefined : text("jitsi_server_url"),
    minDeactivatedRealmDeletionDays: whole("min_deactivated_realm_deletion_days"),
    maxDeactivatedRealmDeletionDays: wholeOrNone("max_deactivated_realm_deletion_days"),
    trustedProxies: text("trusted_proxies"),
  });
}

function resolveOption(
  name: OptionName,
  flags: Flags,
  environment: NodeJS.ProcessEnv,
  file: Record<string, unknown>,
  path: string | undefined,
): { value: Value; source: string } {
  const variable = `CHATD_${name.toUpperCase()}`;
  const option: Option = options[name];
  const given = [
    { value: flags[name], source: `--${name.replaceAll("_", "-")}` },
    { value: environment[variable] === "" ? undefined : environment[variable], source: variable },
    { value: file[name], source: `${name} in ${path}` },
  ].find(({ value }) => value !== undefined);
  if (given === undefined) return { value: option.fallback, source: "default" };
  return { value: checkValue(option, given.value, given.source), source: given.source };
}

function checkValue(option: Option, value: unknown, source: string): string | number | boolean {
  if (option.type === "text") {
    if (typeof value === "string" && value !== "") return value;
    throw new ConfigError(`${source} must be a text.`);
  }
  if (option.type === "level") {
    if (levels.some((level) => level === value)) return String(value);
    throw new ConfigError(`${source} must be one of ${levels.join(", ")}.`);
  }
  if (option.type === "domain") return checkDomain(value, source);
  if (option.type === "networks") return checkNetworks(value, source);
  if (option.type === "flag") return checkFlag(value, source);
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = option;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= min && number <= max) return number;
  throw new ConfigError(`${source} must be a whole number from ${min} to ${max}.`);
}

function checkDomain(value: unknown, source: string): string {
  const domain = String(value).toLowerCase();
  if (/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(domain) && domain.length <= domainLengthMax) return domain;
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
    throw new ConfigError(`${source} must be addresses or networks: ${error instanceof Error ? error.message : error}`);
  }
}

function readConfigFile(path: string): Record<string, unknown> {
  if (!existsSync(path)) throw new ConfigError(`The configuration file ${path} does not exist.`);
  const values = parseToml(path);
  const unknown = Object.keys(values).filter((key) => !Object.hasOwn(options, key));
  if (unknown.length > 0) {
    throw new ConfigError(
      `${path} has unknown keys: ${unknown.join(", ")}. Known: ${Object.keys(options).join(", ")}.`,
    );
  }
  return values;
}

function parseToml(path: string): Record<string, unknown> {
  try {
    return { ...Bun.TOML.parse(readFileSync(path, "utf8")) };
  } catch (error) {
    throw new ConfigError(`${path} is not valid TOML: ${error instanceof Error ? error.message : error}`);
  }
}
