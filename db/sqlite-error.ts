/** The code of an error of SQLite or of the system, or of its cause; empty where there is none. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error && error.cause !== undefined ? errorCode(error.cause) : "";
}

/** Whether an error means that the disk is full. To open a file takes room for its `-shm` too. */
export const isFull = (error: unknown): boolean =>
  ["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"].includes(errorCode(error));

/**
 * Why a statement refused a row: its table has no such columns, or the row violates a constraint of
 * the table; undefined for any other error.
 */
export function whyRowRefused(error: unknown): "columns" | "rule" | undefined {
  const code = errorCode(error);
  if (code === "SQLITE_ERROR") return "columns";
  return /^SQLITE_(?:CONSTRAINT|MISMATCH)/.test(code) ? "rule" : undefined;
}
