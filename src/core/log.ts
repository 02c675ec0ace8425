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
 * A log that writes what is at or above `level` through `write`, a line at a time (no line break at
 * its end).
 */
export function makeLog(clock: Clock, level: LogLevel, write: (line: string) => void): Log {
  const at =
    (lineLevel: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (ranks[lineLevel] < ranks[level]) return;
      const time = isoMilliseconds(clock.nowMilliseconds());
      write(JSON.stringify({ time, level: lineLevel, event, ...fields }));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A query with long lists in it says no more by being told in full. */
const queryLengthMax = 2_000;

/**
 * Fields of the log for an unexpected error: its message and its stack, but not the values that a
 * failed query was given.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  const isQuery = error instanceof DrizzleQueryError;
  const message = isQuery ? `Failed query: ${error.query.slice(0, queryLengthMax)}` : error.message;
  const stack = error.stack?.replace(error.message, () => message);
  return { error: message, stack, cause: String(error.cause ?? "") };
}

/**
 * Tells that an error ended some work of the server's own. The engine tells once that PostgreSQL
 * does not answer, so the work that fails because of it stays silent.
 */
export function tellFailure(
  tell: Log["warn"],
  event: string,
  error: unknown,
  fields: LogFields = {},
): void {
  if (!isAway(error)) tell(event, { ...fields, ...describeError(error) });
}
