import { and, eq, or } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { UserRow } from "../../core/context";

/**
 * The ids of a person and their bots, for a query, because limits apply to all of them together.
 * `user` may be one of the bots.
 */
export function ownAccounts({ db, t: { users } }: Reader, { realmId, id, botOwnerId }: UserRow) {
  const ownerId = botOwnerId ?? id;
  return db
    .select({ id: users.id })
    .from(users)
    .where(
      and(eq(users.realmId, realmId), or(eq(users.id, ownerId), eq(users.botOwnerId, ownerId))),
    );
}
