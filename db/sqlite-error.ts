/**
 * The code that SQLite gave an error, also one that is the cause of another; empty where there is
 * none.
 */
export function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error && error.cause !== undefined ? errorCode(error.cause) : "";
}

/** Whether an error says that the disk has no room left for a write. */
export const isFull = (error: unknown): boolean => errorCode(error) === "SQLITE_FULL";
