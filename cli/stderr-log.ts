import { systemClock } from "../src/core/clock";
import { type Log, type LogLevel, makeLog, tellFailure } from "../src/core/log";
import { escapeJson, writeError } from "./output";

/** The log on stderr, a line of JSON each. A function gives a level that may change. */
export const makeStderrLog = (level: LogLevel | (() => LogLevel)) =>
  makeLog(systemClock, level, (line) => writeError(escapeJson(line)));

/** Takes an error of work that ends nothing when it fails. */
export const logFailure = (log: Log, event: string) => (error: unknown) =>
  tellFailure(log.error, event, error);
