/**
 * Error codes of transactions that can run again: a serialization failure, a deadlock, and a
 * transaction that PostgreSQL has ended because this node had sent nothing for too long.
 */
const retryableCodes = new Set(["40001", "40P01", "25P03"]);

export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && retryableCodes.has(error.code))
    return true;
  return isRetryable(error.cause);
}

/** Whether a statement failed in the database, so that the transaction accepts no further one. */
export function isFromDatabase(error: unknown): boolean {
  return error instanceof Error && (error.name === "PostgresError" || isFromDatabase(error.cause));
}
