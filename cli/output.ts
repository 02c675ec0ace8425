import { ConfigError, isColorUnwanted } from "../src/config";
import { ApiError } from "../src/core/errors";
import { whyNotUsed } from "../src/core/file-failure";
import { storageFailureText } from "../src/core/storage-failure";

/** A command that was called in a way that it cannot be. */
export class UsageError extends Error {}

/** Exit codes by which shells know that a signal has ended a command. */
export const exitCodesOfSignals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A command that somebody at a terminal, or a signal, has ended before its work was done. */
export class Interrupted extends Error {
  constructor(
    message: string,
    readonly exitCode: number = exitCodesOfSignals.SIGINT,
  ) {
    super(message);
  }
}

/**
 * Control characters, line and paragraph separators, lone surrogates, and what turns the direction
 * of text around.
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/**
 * A stored text as it may be shown in a terminal: one line, without control and escape sequences.
 */
export const printable = (text: string): string => Bun.stripANSI(text).replace(unprintable, "");

/** JSON on one line, in which everything that a terminal would act on is escaped. */
export function printableJson(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

/** A line of JSON with what JSON leaves as it is, but a terminal would act on, escaped. */
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

/** Writes a line to stderr as it is: what goes through `console.error`, Bun 1.4.5 paints red. */
export const writeError = (line: string) => console.warn(line);

export interface OutputOptions {
  json?: boolean;
}

/**
 * Prints what a command answers: with `--json` the data as one object, else the lines for a person.
 */
export function printResult(
  { json }: OutputOptions,
  data: Record<string, unknown>,
  lines: readonly Line[],
) {
  if (json) console.log(printableJson({ result: "success", ...data }));
  else if (lines.length > 0)
    console.log(lines.map((line) => shown(line, process.stdout)).join("\n"));
}

/** Prints something that is not the answer of a command. */
export const printNotice = (line: string) => writeError(printable(line));

/** A table of all that an export or an import left out, below an empty line. */
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
const exitRefused = 1;
const exitUsage = 2;

/**
 * Tells a person, or with `--json` a program, what went wrong; answers the exit code: 2 for wrong
 * usage, 130 after Ctrl-C, 129 or 143 after another signal, else 1.
 */
export function reportError(error: unknown, { json }: OutputOptions): number {
  const { code, message, data, exitCode } = describeFailure(error);
  if (json) writeError(printableJson({ result: "error", code, msg: message, ...data }));
  else
    for (const line of message.split("\n"))
      writeError(`${shown(errorPrefix, process.stderr)} ${printable(line)}`);
  return exitCode;
}

function describeFailure(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
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
