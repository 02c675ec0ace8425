import { and, eq } from "drizzle-orm";
import { findTraits } from "../../../db/schema/traits";
import type { Context, Tx, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { onlyRow, write } from "../../core/write";
import { avatarVariants } from "../../people/avatars/files";
import { forgetPresenceIn } from "../../people/presence/forget";
import { requireMayManage } from "../../people/user-groups/may-manage";
import { emitShowing, watchersOf } from "../../people/users/announce";
import { avatarSources } from "../../people/users/avatar";
import { userActivityChanged, userAdded, userRemoved } from "../../people/users/events";
import { emailKeyOf, loadUser, placeholderEmail } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { userWire } from "../../people/users/wire";
import { releasePictureIn, removalsSettled } from "../../pictures/store";
import { loadRealm } from "../../realm/queries";
import { removeDeadKeys } from "../../sign-in/api-keys";
import { forgetFailures } from "../../sign-in/failed-sign-ins";
import { removeUnlinkedOf } from "../../uploads/orphans";
import { forgetInAuditLog } from "../audit-log/forget";
import { deactivateUserIn, listBotsOf, requireOthers } from "./deactivate";

/** Deletes a person permanently; see `deleteUserIn`. */
export async function deleteUser(ctx: Context, userId: number): Promise<UserRow> {
  const deleted = await write(ctx, async (tx) =>
    deleteUserIn(tx, await renewContext(tx, ctx), userId),
  );
  await removalsSettled();
  return deleted;
}

/**
 * Deletes a person permanently, as part of a write; answers the row. The account is deactivated if
 * it is not yet, and everything personal is removed: name, addresses, picture, profile, settings,
 * drafts, files that no message links to and so on. Their messages stay, under the name `Deleted
 * user` and a number, and the files in messages as long as these. Events: those
 * of `deactivateUserIn`; then realm_user remove, add with `is_deleted` and update with `is_active`,
 * to people who see them, because no form of the update event has `is_deleted`. For actors who may
 * deactivate them. Refuses bots, and deleted people (BAD_REQUEST). Source:
 * `docs/protocol/specification.md`, User account states.
 */
export async function deleteUserIn(tx: Tx, ctx: Context, userId: number): Promise<UserRow> {
  const user = await loadUser(tx, ctx.realm.id, userId);
  await requireMayManage(tx, ctx, user);
  await requireDeletable(tx, user);
  if (user.isActive) await deactivateUserIn(tx, ctx, userId);
  await removeOwnThings(tx, ctx, user);
  const deleted = await anonymize(tx, ctx, user);
  await announceDeleted(tx, user, deleted);
  await forgetInAuditLog(tx, user);
  tx.audit(ctx, { action: "user.delete", kind: "user", ids: [userId] });
  return deleted;
}

/** Refuses (BAD_REQUEST) bots, deleted people, and the last owner or person of an organization. */
export async function requireDeletable(tx: Pick<Tx, "db" | "t">, user: UserRow): Promise<void> {
  if (user.botType !== null) throw badRequest("Only people are deleted: deactivate the bot.");
  if (user.isDeleted) throw badRequest("This person has already been deleted.");
  if (user.isActive) await requireOthers(tx, user);
}

/** Deletes a person's own objects, and the facts about them outside their row. */
async function removeOwnThings(tx: Tx, { app }: Context, user: UserRow) {
  const { realmId, id } = user;
  const { t } = tx;
  await forgetFailures(tx, app, user);
  await removeUnlinkedOf(tx, user);
  await forgetPresenceIn(tx, user);
  const bots = await listBotsOf(tx, user);
  await removeDeadKeys(tx, realmId, [id, ...bots.map((bot) => bot.id)]);
  for (const table of Object.values(t)) {
    if (!("userId" in table) || findTraits(table)?.onPersonDeleted !== "remove") continue;
    await tx.db.delete(table).where(and(eq(table.realmId, realmId), eq(table.userId, id)));
  }
}

async function anonymize(tx: Tx, { app, realm }: Context, user: UserRow): Promise<UserRow> {
  const { users } = tx.t;
  const email = placeholderEmail(realm.host, user.id);
  const rows = await tx.db
    .update(users)
    .set({
      fullName: `Deleted user ${user.id}`,
      email,
      emailKey: emailKeyOf(email),
      passwordHash: null,
      timezone: "",
      settings: "{}",
      chosenSettings: "[]",
      profileData: "{}",
      isDeleted: true,
      avatarSource: avatarSources.generated,
      avatarFile: null,
      avatarVersion: user.avatarVersion + 1,
      isImportedStub: false,
      awaitsFirstSignIn: false,
    })
    .where(and(eq(users.realmId, user.realmId), eq(users.id, user.id)))
    .returning();
  if (user.avatarFile !== null) {
    await releasePictureIn(tx, app, user.realmId, user.avatarFile, Object.values(avatarVariants));
  }
  return onlyRow(rows);
}

async function announceDeleted(tx: Tx, before: UserRow, after: UserRow) {
  const { id: user_id, fullName: full_name } = after;
  const realm = await loadRealm(tx, before.realmId);
  const watchers = await watchersOf(tx, after, realm);
  const view = { clientGravatar: false, includeProfileData: true, realmHost: realm.host };
  await tx.emit(watchers, userRemoved({ person: { user_id, full_name } }));
  await emitShowing(tx, watchers, after, (viewer) =>
    userAdded({ person: userWire(after, { ...view, viewer }) }),
  );
  await tx.emit(watchers, userActivityChanged({ person: { user_id, is_active: false } }));
}
