import { type Static, Type } from "@sinclair/typebox";
import type { Context, Person, RealmRow, Tx } from "../../core/context";
import type { Connection } from "../../core/endpoint";
import { badRequest } from "../../core/errors";
import { type Input, record } from "../../core/params";
import { laneOf } from "../../core/turns/fair-queue";
import { write } from "../../core/write";
import { removalsSettled, withStoredPicture } from "../../pictures/store";
import { requirePicture } from "../../pictures/upload";
import { parseRealmSettings } from "../../realm/settings";
import { may } from "../user-groups/may";
import { avatarUrl } from "../users/avatar";
import { renewContext } from "../users/renew-context";
import { resetAvatarIn, setAvatarIn } from "./change";
import { makeAvatarFiles } from "./files";

export const ChangeAvatar = record({});
export const ShownAvatar = record({ avatar_url: Type.String() });

/**
 * Sets the picture of the form as the actor's avatar; answers its address. Event: realm_user update
 * with the avatar, to people who see the user. Refuses where the organization does not allow
 * changes of avatars, no file or several, one of more than `max_avatar_file_size_mib`
 * (BAD_REQUEST), a file that is no picture (BAD_IMAGE), and too many at a time (RATE_LIMIT_HIT).
 */
export async function uploadAvatar(
  ctx: Context<Person>,
  _input: Input<typeof ChangeAvatar>,
  connection: Pick<Connection, "picture">,
): Promise<Static<typeof ShownAvatar>> {
  await requireMayChange(ctx.reader, ctx);
  const files = await makeAvatarFiles(laneOf(ctx), requirePicture(connection));
  return withStoredPicture(ctx, files, async (tx, picture) => {
    const { realm, user } = await renew(tx, ctx);
    return shown(await setAvatarIn(tx, ctx.app, realm, user, picture));
  });
}

/**
 * Removes the actor's uploaded avatar; answers the address of the default one. Event as above, none
 * where there was no uploaded one. Refuses where the organization does not allow changes of avatars
 * (BAD_REQUEST).
 */
export async function removeAvatar(ctx: Context<Person>): Promise<Static<typeof ShownAvatar>> {
  const user = await write(ctx, async (tx) => {
    const { realm, user: before } = await renew(tx, ctx);
    return resetAvatarIn(tx, ctx.app, realm, before);
  });
  await removalsSettled();
  return shown(user);
}

async function renew(
  tx: Tx,
  ctx: Context<Person>,
): Promise<{ realm: RealmRow; user: Person["user"] }> {
  const current = await renewContext(tx, ctx);
  await requireMayChange(tx, current);
  return { realm: current.realm, user: current.actor.user };
}

const shown = (user: Person["user"]) => ({
  avatar_url: avatarUrl({ email: user.email, picture: user }, false),
});

/**
 * Refuses a change of an avatar where the organization does not allow them; administrators may
 * still change theirs.
 */
async function requireMayChange(reader: Context["reader"], ctx: Context<Person>) {
  const { avatar_changes_disabled } = parseRealmSettings(ctx.realm.settings);
  if (!avatar_changes_disabled || (await may(reader, ctx, { role: "administrator" }))) return;
  throw badRequest("In this organization, pictures are changed by administrators.");
}
