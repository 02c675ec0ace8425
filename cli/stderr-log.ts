import { systemClock } from "../src/core/clock";
import { type Log, type LogLevel, makeLog, tellFailure } from "../src/core/log";
import { escapeJson, type OutputOptions, printable, writeError } from "./output";

/**
 * The log on stderr: a line of JSON each, or words where stderr is a terminal and no `--json` is
 * given. A function gives a level that may change.
 */
export function makeStderrLog(
  level: LogLevel | (() => LogLevel),
  { json = false }: OutputOptions = {},
): Log {
  const isForPeople = process.stderr.isTTY === true && !json;
  return makeLog(systemClock, level, (line) =>
    writeError(isForPeople ? inWords(line) : escapeJson(line)),
  );
}

/**
 * A line of the log as somebody at a terminal reads it: `04:05:06 info started
 * address=http://localhost:8080`.
 */
function inWords(line: string): string {
  const { time, level, event, ...fields }: Record<string, unknown> = JSON.parse(line);
  const values = Object.entries(fields).map(([name, value]) => `${name}=${plain(value)}`);
  return printable([String(time).slice(11, 19), level, event, ...values].join(" "));
}

const plain = (value: unknown): string =>
  typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

/** Takes an error of work that ends nothing when it fails. */
export const logFailure = (log: Log, event: string) => (error: unknown) =>
  tellFailure(log.error, event, error);
