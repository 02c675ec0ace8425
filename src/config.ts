import { existsSync, readFileSync } from "node:fs";
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
  heartbeatSeconds: number;
  queueIdleSeconds: number;
  queueEventsMax: number;
  queuesPerUserMax: number;
  passwordHashesAtOnce: number;
}>;

type OptionType = "text" | "integer" | "level";

interface Option {
  type: OptionType;
  fallback: string | number | undefined;
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
    help: "passwords checked at the same time",
    min: 1,
    max: 64,
  },
} satisfies Record<string, Option>;

export type OptionName = keyof typeof options;

/** What was given on the command line, by configuration key. */
export type Flags = Partial<Record<OptionName, string | undefined>>;

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export class ConfigError extends Error {}

/**
 * The configuration: flags win over `CHATD_*` in the environment, that over the TOML file (`--config`, or `CHATD_CONFIG`).
 * Refuses unknown keys and values out of range with an error that names the place.
 */
export function loadConfig(flags: Flags, configFile?: string, environment: NodeJS.ProcessEnv = process.env): Config {
  const path = configFile ?? environment["CHATD_CONFIG"];
  const file = path === undefined ? {} : readConfigFile(path);
  const read = (name: OptionName) => resolveOption(name, flags, environment, file, path);
  const text = (name: OptionName) => {
    const value = read(name);
    return value === undefined ? undefined : String(value);
  };
  const whole = (name: OptionName) => Number(read(name));
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
    heartbeatSeconds: whole("heartbeat_seconds"),
    queueIdleSeconds: whole("queue_idle_seconds"),
    queueEventsMax: whole("queue_events_max"),
    queuesPerUserMax: whole("queues_per_user_max"),
    passwordHashesAtOnce: whole("password_hashes_at_once"),
  });
}

function resolveOption(
  name: OptionName,
  flags: Flags,
  environment: NodeJS.ProcessEnv,
  file: Record<string, unknown>,
  path: string | undefined,
): string | number | undefined {
  const variable = `CHATD_${name.toUpperCase()}`;
  const option: Option = options[name];
  const given = [
    { value: flags[name], source: `--${name.replaceAll("_", "-")}` },
    { value: environment[variable] === "" ? undefined : environment[variable], source: variable },
    { value: file[name], source: `${name} in ${path}` },
  ].find(({ value }) => value !== undefined);
  return given === undefined ? option.fallback : checkValue(option, given.value, given.source);
}

function checkValue(option: Option, value: unknown, source: string): string | number {
  if (option.type === "text") {
    if (typeof value === "string" && value !== "") return value;
    throw new ConfigError(`${source} must be a text.`);
  }
  if (option.type === "level") {
    if (levels.some((level) => level === value)) return String(value);
    throw new ConfigError(`${source} must be one of ${levels.join(", ")}.`);
  }
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = option;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= min && number <= max) return number;
  throw new ConfigError(`${source} must be a whole number from ${min} to ${max}.`);
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
