import { systemClock } from "../src/core/clock";
import { type Log, type LogLevel, makeLog, tellFailure } from "../src/core/log";
import { escapeJson, type OutputOptions, printable, writeError } from "./output";
import { hasReader, unwaitedLines } from "./unwaited-lines";

const stderr = 2;

/**
 * The log on stderr: JSON lines, or words if stderr is a terminal and `--json` is not given. If the
 * level is a function, it may change.
 */
export function makeStderrLog(
  level: LogLevel | (() => LogLevel),
  { json = false }: OutputOptions = {},
  write = writeError,
): Log {
  const isForPeople = process.stderr.isTTY === true && !json;
  return makeLog(systemClock, level, (line) =>
    write(isForPeople ? inWords(line) : escapeJson(line)),
  );
}

/**
 * The log of a server. A program that collects logs and hangs does not stop the server: lines wait
 * for it, and where too many wait, the log says later how many were lost.
 */
export function makeServerLog(level: () => LogLevel, options: OutputOptions): Log {
  if (!hasReader(stderr)) return makeStderrLog(level, options);
  const lines = unwaitedLines(process.stderr, (count) => log.warn("log_lines_lost", { count }));
  const log = makeStderrLog(level, options, lines);
  return log;
}

/** A log line for a person at a terminal: `04:05:06 info started address=http://localhost:8080`. */
function inWords(line: string): string {
  const { time, level, event, ...fields }: Record<string, unknown> = JSON.parse(line);
  const values = Object.entries(fields).map(([name, value]) => `${name}=${plain(value)}`);
  return printable([String(time).slice(11, 19), level, event, ...values].join(" "));
}

const plain = (value: unknown): string =>
  typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

/** Makes a handler that logs an error of work whose failure ends nothing. */
export const logFailure = (log: Log, event: string) => (error: unknown) =>
  tellFailure(log.error, event, error);
