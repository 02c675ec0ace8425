import { and, eq } from "drizzle-orm";
import { isoTimeWithOffset } from "../core/clock";
import type { Tx, UserRow } from "../core/context";
import { onlyRow } from "../core/write";
import { announceChangedAge } from "../people/user-groups/system-groups";
import { watchersOf } from "../people/users/announce";
import { userArrived, userJoinDateChanged } from "../people/users/events";

/**
 * Part of every sign-in; answers the row afterwards. The first sign-in of a person who was
 * imported, added through the API, or declared without a password becomes their date of joining.
 * Events: realm_user update with `is_imported_stub`, and with `date_joined`, to people who see the
 * user; user_group remove_members, to the realm, if their waiting period starts again; none at
 * later sign-ins. Source: `docs/protocol/specification.md`, User object and the `person` forms.
 */
export async function noteSignIn(tx: Tx, user: UserRow): Promise<UserRow> {
  if (!user.awaitsFirstSignIn && !user.isImportedStub) return user;
  const { users } = tx.t;
  const rows = await tx.db
    .update(users)
    .set({ createdAt: tx.now, awaitsFirstSignIn: false, isImportedStub: false })
    .where(and(eq(users.realmId, user.realmId), eq(users.id, user.id)))
    .returning();
  const arrived = onlyRow(rows);
  const watchers = await watchersOf(tx, arrived);
  await tx.emit(watchers, userArrived({ person: { user_id: user.id, is_imported_stub: false } }));
  await tx.emit(
    watchers,
    userJoinDateChanged({ person: { user_id: user.id, date_joined: isoTimeWithOffset(tx.now) } }),
  );
  if (user.isActive) await announceChangedAge(tx, user, arrived);
  return arrived;
}
