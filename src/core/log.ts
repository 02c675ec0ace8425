import { DrizzleQueryError } from "drizzle-orm";
import { isAway } from "../../db/trouble";
import { type Clock, isoMilliseconds } from "./clock";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Record<string, unknown>;

/**
 * Structured logging: one JSON object a line. Fields never hold a password, a key or the text of a
 * message.
 */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

const ranks: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * A log that writes entries at or above `level` through `write`, a line at a time (no line break at
 * its end). A level that may change while the server runs is given as a function.
 */
export function makeLog(
  clock: Clock,
  level: LogLevel | (() => LogLevel),
  write: (line: string) => void,
): Log {
  const lowest = typeof level === "string" ? () => level : level;
  const at =
    (lineLevel: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (ranks[lineLevel] < ranks[lowest()]) return;
      const time = isoMilliseconds(clock.nowMilliseconds());
      write(JSON.stringify({ time, level: lineLevel, event, ...fields }));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/**
 * Greatest length of a logged query: a query with long lists becomes no clearer when it is longer.
 */
const queryLengthMax = 2_000;

/**
 * Fields of the log for an unexpected error: its message and its stack, but not the values of a
 * failed query.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  const isQuery = error instanceof DrizzleQueryError;
  const message = isQuery ? `Failed query: ${error.query.slice(0, queryLengthMax)}` : error.message;
  const stack = error.stack?.replace(error.message, () => message);
  return { error: message, stack, cause: String(error.cause ?? "") };
}

/**
 * Logs an error that ended some of the server's own work. A failure because PostgreSQL does not
 * answer is not logged here, because the engine logs that once.
 */
export function tellFailure(
  tell: Log["warn"],
  event: string,
  error: unknown,
  fields: LogFields = {},
): void {
  if (!isAway(error)) tell(event, { ...fields, ...describeError(error) });
}
