import { writeSync } from "node:fs";
import { codeOf } from "../src/core/error-code";
import { whyNotWritten } from "../src/core/storage/file-failure";
import { hasReader } from "./unwaited-lines";

const stdout = 1;
/** A pipe that another program has made non-blocking may be full for a moment. */
const retryMilliseconds = 2;

/** Exit code by which shells know a program that SIGPIPE has ended. */
const exitClosedPipe = 141;
const exitLost = 1;

/** Output of a command that could not be written. */
export class OutputLost extends Error {
  /** The program that read the output has ended, as `head` does: this is told to nobody. */
  readonly isClosed: boolean;

  constructor(cause: unknown) {
    const why =
      codeOf(cause) === "EBADF"
        ? "The output cannot be written: it is closed."
        : whyNotWritten("The output", cause);
    super(`${why} If the command changes something, it has done so.`);
    this.isClosed = codeOf(cause) === "EPIPE";
  }

  get exitCode(): number {
    return this.isClosed ? exitClosedPipe : exitLost;
  }
}

/**
 * Writes a text to stdout, all of it, before it returns. `console.log` would lose it without a word
 * where the disk is full. Throws `OutputLost`.
 */
export function writeOutput(text: string) {
  const bytes = new TextEncoder().encode(text);
  let written = 0;
  while (written < bytes.length) written += writeSome(bytes.subarray(written));
}

function writeSome(bytes: Uint8Array): number {
  try {
    return writeSync(stdout, bytes);
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") throw new OutputLost(error);
    Bun.sleepSync(retryMilliseconds);
    return 0;
  }
}

/**
 * Writes a line to stdout and does not wait until another program reads it. Calls `failed` if the
 * line cannot be written.
 */
export function writeLineUnwaited(line: string, failed: () => void) {
  if (hasReader(stdout)) {
    process.stdout.once("error", failed);
    process.stdout.write(`${line}\n`);
    return;
  }
  try {
    writeLine(line);
  } catch (error) {
    if (!(error instanceof OutputLost)) throw error;
    failed();
  }
}

/** Writes a line to stdout. Throws `OutputLost`. */
export const writeLine = (line: string) => writeOutput(`${line}\n`);
