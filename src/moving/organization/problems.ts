import { ApiError } from "../../core/errors";
import { lineOf, type Path } from "./positions";

/** Something in an organization's file that cannot be done, and where it stands. */
export interface Problem {
  path: Path;
  message: string;
  /** Line, where the path does not tell it. */
  line?: number;
}

/** The text of an organization's file; `name` is what messages call it. */
export interface Source {
  name: string;
  text: string;
  /**
   * Reads a file that the text names. Refuses one that cannot be read or has more bytes
   * (BAD_REQUEST).
   */
  readFile?(path: string, bytesMax: number): Uint8Array;
}

/**
 * Refuses a file for everything that is wrong with it (BAD_REQUEST), a line each: `org.yaml:5: …`.
 */
export function refuse({ name, text }: Source, problems: readonly Problem[]): never {
  const located = problems.map(({ path, message, line }) => ({
    line: line ?? lineOf(text, path),
    message,
  }));
  located.sort((a, b) => a.line - b.line);
  const lines = located.map(({ line, message }) => `${name}:${line}: ${message}`);
  throw new ApiError("BAD_REQUEST", lines.join("\n"), 400, { problems: located });
}

/** Answer of a check of a value; a refusal becomes a problem of that place. */
export function attempt<Value>(
  problems: Problem[],
  path: Path,
  check: () => Value,
): Value | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problems.push({ path, message: error.message });
    return undefined;
  }
}
