import { ApiError } from "../../../core/errors";

/** Place in an organization's file: `["users", 3, "role"]`. */
export type Path = readonly (string | number)[];

/** Line and column of a text, each from 1. */
export interface Position {
  line: number;
  column: number;
}

/** Something in an organization's file that cannot be done, and where it stands. */
export interface Problem {
  path: Path;
  message: string;
  /** Position, where the path does not tell it. */
  position?: Position;
}

/** An organization's file as it was parsed; `name` is what messages call it. */
export interface Source {
  name: string;
  value: unknown;
  positionOf(path: Path): Position;
  /**
   * Reads a file that this one names. Refuses one that cannot be read or has more bytes
   * (BAD_REQUEST).
   */
  readFile?: ReadFile | undefined;
}

export type ReadFile = (path: string, bytesMax: number) => Uint8Array;

/**
 * Refuses a file for everything that is wrong with it (BAD_REQUEST), a line each: `org.yaml:5:3: …`
 * with line and column.
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
