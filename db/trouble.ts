/**
 * Reason why PostgreSQL fails independently of the statement: it does not answer (`away`), accepts
 * no further connection (`crowded`), is a read-only standby (`read_only`), has a full disk
 * (`full`), or another node or command holds a lock for too long (`busy`).
 */
export type Trouble = "away" | "crowded" | "read_only" | "full" | "busy";

/**
 * Error that PostgreSQL does not answer at the moment. Nothing is sent to it, and running
 * statements are given up.
 */
export class DatabaseAwayError extends Error {
  constructor(why: string) {
    super(`PostgreSQL does not answer: ${why}`);
    this.name = "DatabaseAwayError";
  }
}

/**
 * Error that the connection was lost between COMMIT and its answer, so it is unknown whether the
 * write is stored. Its `cause` has the reason.
 */
export class UnknownOutcomeError extends Error {
  constructor(cause: unknown) {
    super("PostgreSQL was lost while a write was being stored", { cause });
    this.name = "UnknownOutcomeError";
  }
}

/** Codes of Node, postgres.js and PostgreSQL itself (appendix A of its documentation). */
const troubles: Record<Trouble, readonly string[]> = {
  away: [
    "ECONNREFUSED",
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ENOENT",
    "CONNECT_TIMEOUT",
    "CONNECTION_CLOSED",
    "CONNECTION_DESTROYED",
    "CONNECTION_ENDED",
    // PostgreSQL was shut down, has crashed, or cannot accept connections yet; a session was idle
    // for too long; or a connection was lost.
    "57P01",
    "57P02",
    "57P03",
    "57P05",
    "25P03",
    "25P04",
    "08000",
    "08001",
    "08003",
    "08004",
    "08006",
  ],
  crowded: ["53300"],
  read_only: ["25006"],
  full: ["53100"],
  busy: ["55P03"],
};
const troubleOfCode = new Map(
  (["away", "crowded", "read_only", "full", "busy"] as const).flatMap((trouble) =>
    troubles[trouble].map((code) => [code, trouble] as const),
  ),
);

/** The code of a driver's error, or of its cause. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return codeOf(error.cause);
}

/**
 * Whether an error comes from PostgreSQL or postgres.js. This must be checked, because other
 * connections of the server fail with similar codes.
 */
const isOfDriver = (error: Error): boolean =>
  error.name === "PostgresError" ||
  "query" in error ||
  ("code" in error && String(error.code).startsWith("CONNECT"));

/**
 * The trouble of PostgreSQL that has caused the error of a statement; undefined for other errors.
 */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseAwayError) return "away";
  const code = isOfDriver(error) ? codeOf(error) : undefined;
  return troubleOfCode.get(code ?? "") ?? troubleOf(error.cause);
}

/** Whether work failed because PostgreSQL does not answer. The engine logs this once. */
export const isAway = (error: unknown): boolean => troubleOf(error) === "away";
