import { ConfigError, isColorUnwanted } from "../src/config/config";
import { messageOf } from "../src/core/error-code";
import { ApiError } from "../src/core/errors";
import { whyNotUsed } from "../src/core/storage/file-failure";
import { storageFailureText } from "../src/core/storage/storage-failure";
import { unprintable } from "../src/core/text/unprintable";
import { OutputLost, writeLine } from "./stdout";

/** Wrong usage of a command. */
export class UsageError extends Error {}

/** Exit codes that tell shells that a signal has ended a command. */
export const exitCodesOfSignals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A command that a person at a terminal, or a signal, has ended before its work was done. */
export class Interrupted extends Error {
  constructor(
    message: string,
    readonly exitCode: number = exitCodesOfSignals.SIGINT,
  ) {
    super(message);
  }
}

/**
 * A stored text in a form that is safe for a terminal: one line, without control and escape
 * sequences.
 */
export const printable = (text: string): string => Bun.stripANSI(text).replace(unprintable, "");

/** JSON on one line, with characters escaped that a terminal would interpret. */
export function printableJson(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

/** A line of JSON with characters escaped that JSON allows but a terminal would interpret. */
export const escapeJson = (json: string): string =>
  json.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const styles = { red: 31, green: 32, yellow: 33 };
export type Style = keyof typeof styles;

/** A line of output; its style shows on a terminal only. */
export type Line = string | { text: string; style: Style | undefined };

/** Text of a line as it is shown: in colour on a terminal, unless NO_COLOR is set. */
function shown(line: Line, { isTTY }: { isTTY?: boolean }): string {
  const { text, style } = typeof line === "string" ? { text: line } : line;
  if (style === undefined || !isTTY || isColorUnwanted()) return printable(text);
  return `\u001b[${styles[style]}m${printable(text)}\u001b[39m`;
}

/**
 * Writes a line to stderr unchanged, because Bun 1.4.5 prints the output of `console.error` in red.
 */
export const writeError = (line: string) => console.warn(line);

export interface OutputOptions {
  json?: boolean;
}

/** Prints the result of a command. */
export function printResult(
  options: OutputOptions,
  data: Record<string, unknown>,
  lines: readonly Line[],
) {
  if (options.json || lines.length > 0) writeLine(resultText(options, data, lines));
}

/**
 * A result as it is printed: with `--json` the data as one object, otherwise lines for a person.
 */
export const resultText = (
  { json }: OutputOptions,
  data: Record<string, unknown>,
  lines: readonly Line[],
): string =>
  json
    ? printableJson({ result: "success", ...data })
    : lines.map((line) => shown(line, process.stdout)).join("\n");

/** Prints a notice that is not part of a command's result. */
export const printNotice = (line: string) => writeError(printable(line));

/** A table of everything that an export or an import left out, below an empty line. */
export const leftOutLines = (left: readonly (readonly [why: string, count: number])[]): string[] =>
  left.length === 0
    ? []
    : [
        "",
        ...formatTable(
          ["LEFT OUT", "COUNT"],
          left.map(([why, count]) => [why, String(count)]),
        ),
      ];

/** Rows below their headings, in columns. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const all = [headings, ...rows.map((row) => row.map(printable))];
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const pad = (cell: string, column: number) =>
    cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell));
  return all.map((row) => row.map(pad).join("  ").trimEnd());
}

const errorPrefix: Line = { text: "chatd:", style: "red" };
/** Exit code of a command that was refused, or did only a part of its work. */
export const exitRefused = 1;
const exitUsage = 2;

/**
 * Reports an error to a person, or with `--json` to a program; answers the exit code: 2 for wrong
 * usage, 130 after Ctrl-C, 129 or 143 after another signal, 141 where the program that reads the
 * output has ended, otherwise 1.
 */
export function reportError(error: unknown, { json }: OutputOptions): number {
  if (error instanceof OutputLost && error.isClosed) return error.exitCode;
  const { code, message, data, exitCode } = describeFailure(error);
  if (json) writeError(printableJson({ result: "error", code, msg: message, ...data }));
  else
    for (const line of message.split("\n"))
      writeError(`${shown(errorPrefix, process.stderr)} ${printable(line)}`);
  return exitCode;
}

function describeFailure(error: unknown) {
  const message = messageOf(error);
  if (error instanceof OutputLost)
    return { code: "OUTPUT_LOST", message, data: {}, exitCode: error.exitCode };
  if (error instanceof ApiError) {
    const exitCode = error.code.startsWith("REQUEST_VARIABLE_") ? exitUsage : exitRefused;
    return { code: error.code, message, data: error.data, exitCode };
  }
  if (error instanceof ConfigError)
    return { code: "WRONG_CONFIGURATION", message, data: {}, exitCode: exitUsage };
  if (error instanceof Interrupted)
    return { code: "INTERRUPTED", message, data: {}, exitCode: error.exitCode };
  if (error instanceof UsageError)
    return { code: "WRONG_USAGE", message, data: {}, exitCode: exitUsage };
  const failure = storageFailureText(error);
  if (failure)
    return { code: failure.code, message: failure.text, data: {}, exitCode: exitRefused };
  if (error instanceof Error && "path" in error && typeof error.path === "string")
    return {
      code: "FAILED",
      message: whyNotUsed(error.path, error),
      data: {},
      exitCode: exitRefused,
    };
  return { code: "FAILED", message, data: {}, exitCode: exitRefused };
}
