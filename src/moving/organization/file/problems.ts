import { ApiError } from "../../../core/errors";

/** Place in an organization's file: `["users", 3, "role"]`. */
export type Path = readonly (string | number)[];

/** Line and column of a text, each from 1. */
export interface Position {
  line: number;
  column: number;
}

/** A mistake in an organization's file, with its place. */
export interface Problem {
  path: Path;
  message: string;
  /** Position in the text, if it is not the position of the path. */
  position?: Position;
}

/** A parsed organization's file; `name` is its name in messages. */
export interface Source {
  name: string;
  value: unknown;
  positionOf(path: Path): Position;
  /**
   * Reads a file that this one names. Refuses one that cannot be read or is too large
   * (BAD_REQUEST).
   */
  readFile?: ReadFile | undefined;
}

export type ReadFile = (path: string, bytesMax: number) => Uint8Array;

/**
 * Refuses a file for all its mistakes (BAD_REQUEST), in lines such as `org.yaml:5:3: …` with line
 * and column.
 */
export function refuse(
  { name, positionOf }: Pick<Source, "name" | "positionOf">,
  problems: readonly Problem[],
): never {
  const located = problems.map(({ path, message, position = positionOf(path) }) => ({
    ...position,
    message,
  }));
  located.sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = located.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`);
  throw new ApiError("BAD_REQUEST", lines.join("\n"), 400, { problems: located });
}

/**
 * Result of a check of a value. If the check refuses the value, the refusal becomes a problem of
 * that place.
 */
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
