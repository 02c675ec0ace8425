import type { App, Context, RealmRow, Tx, UserRow } from "../../core/context";
import { laneOf } from "../../core/turns/fair-queue";
import { write } from "../../core/write";
import {
  releasePictureIn,
  removalsSettled,
  type StoredPicture,
  withStoredPicture,
} from "../../pictures/store";
import { requireMayManage } from "../user-groups/may-manage";
import { announceAvatar } from "../users/announce";
import { avatarSources } from "../users/avatar";
import { defaultAvatarSource } from "../users/avatar-source";
import { changeUserRow } from "../users/change-row";
import { loadUser } from "../users/queries";
import { renewContext } from "../users/renew-context";
import { avatarVariants, makeAvatarFiles } from "./files";

/**
 * Sets an uploaded avatar of a person or a bot, as part of a write; answers the row. The former
 * avatar is removed. Event: realm_user update with the avatar, to people who see the user. The
 * caller checks the permission.
 */
export async function setAvatarIn(
  tx: Tx,
  app: App,
  realm: RealmRow,
  user: UserRow,
  { name }: StoredPicture,
): Promise<UserRow> {
  return storeAvatar(tx, app, realm, user, {
    avatarSource: avatarSources.uploaded,
    avatarFile: name,
  });
}

/**
 * Removes somebody's uploaded avatar, as part of a write; answers the row. The user gets the
 * default avatar. Event as for `setAvatarIn`; none where there was no uploaded one.
 */
export async function resetAvatarIn(
  tx: Tx,
  app: App,
  realm: RealmRow,
  user: UserRow,
): Promise<UserRow> {
  const avatarSource = defaultAvatarSource(app.config, realm);
  if (user.avatarFile === null && user.avatarSource === avatarSource) return user;
  return storeAvatar(tx, app, realm, user, { avatarSource, avatarFile: null });
}

type Avatar = Pick<UserRow, "avatarSource" | "avatarFile">;

async function storeAvatar(
  tx: Tx,
  app: App,
  realm: RealmRow,
  user: UserRow,
  avatar: Avatar,
): Promise<UserRow> {
  const after = await changeUserRow(tx, user, {
    ...avatar,
    avatarVersion: user.avatarVersion + 1,
  });
  if (user.avatarFile !== null) {
    await releasePictureIn(tx, app, realm.id, user.avatarFile, Object.values(avatarVariants));
  }
  await announceAvatar(tx, after, realm);
  return after;
}

/**
 * Sets somebody's avatar, for the operator and administrators; see `setAvatarIn`. Refuses a file
 * that is no picture (BAD_IMAGE), and a user whom the actor may not manage (`requireMayManage`).
 */
export async function setUserAvatar(
  ctx: Context,
  userId: number,
  file: Uint8Array,
): Promise<UserRow> {
  const files = await makeAvatarFiles(laneOf(ctx), file);
  return withStoredPicture(ctx, files, async (tx, picture) => {
    const current = await renewContext(tx, ctx);
    const user = await loadUser(tx, ctx.realm.id, userId);
    await requireMayManage(tx, current, user);
    auditAvatar(tx, current, user, "changed");
    return setAvatarIn(tx, ctx.app, current.realm, user, picture);
  });
}

const auditAvatar = (tx: Tx, ctx: Context, { id }: UserRow, avatar: "changed" | "removed") =>
  tx.audit(ctx, { action: "user.update", kind: "user", ids: [id], after: { avatar } });

/** Removes somebody's uploaded avatar, for the operator and administrators; see `resetAvatarIn`. */
export async function resetUserAvatar(ctx: Context, userId: number): Promise<UserRow> {
  const user = await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const before = await loadUser(tx, ctx.realm.id, userId);
    await requireMayManage(tx, current, before);
    auditAvatar(tx, current, before, "removed");
    return resetAvatarIn(tx, ctx.app, current.realm, before);
  });
  await removalsSettled();
  return user;
}
