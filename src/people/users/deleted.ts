import type { UserRow } from "../../core/context";
import { refusedFor } from "../../core/errors";

/** Refuses a person who was deleted for good, because nothing of them can change any more. */
export function requireNotDeleted({ isDeleted }: Pick<UserRow, "isDeleted">): void {
  if (isDeleted)
    throw refusedFor("account-deleted", "This person was deleted for good: add them again.");
}
