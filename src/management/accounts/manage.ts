import { Type } from "@sinclair/typebox";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, type Input, id, integer, json, optional, record, text } from "../../core/params";
import { isRole } from "../../core/rights/role";
import { write } from "../../core/write";
import { deleteSentJob } from "../../messages/delete/delete-sent";
import { requireMayManage } from "../../people/user-groups/may-manage";
import { requireNotDeleted } from "../../people/users/deleted";
import { newestMessageId } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { loadVisibleUser } from "../../people/users/viewer";
import { removalsSettled } from "../../pictures/store";
import { changeProfileValuesIn } from "../profile-fields/values";
import { deactivateUserIn, reactivateUserIn } from "./deactivate";
import { cleanComment, mailDeactivation } from "./deactivation-mail";
import { deleteUserIn } from "./delete";
import { auditUser, changeEmailIn, renameUserIn, updateUserRoleIn } from "./update";

export const UpdateUser = record({
  userIdOrEmail: text(),
  fullName: optional(text()),
  role: optional(integer()),
  newEmail: optional(text()),
  profileData: optional(json()),
});

/**
 * Changes the account of a person or a bot, by id or e-mail address: all given values, or none; a
 * blank name is ignored. Events and refusals: see `updateUserRoleIn`, `renameUserIn` and
 * `changeEmailIn`; a user whom the actor does not see is refused like one who does not exist
 * (BAD_REQUEST). Source: `test/recorded/api/api-surface.json`, update-user.
 */
export async function updateUser(
  ctx: Context,
  input: Input<typeof UpdateUser>,
): Promise<undefined> {
  const { role, fullName, newEmail, profileData } = input;
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const user = await loadVisibleUser(tx, current, input.userIdOrEmail);
    await requireMayManage(tx, current, user);
    requireNotDeleted(user);
    if (role !== undefined && !isRole(role))
      throw badRequest("Invalid role: use 100, 200, 300, 400 or 600.");
    if (role !== undefined) await updateUserRoleIn(tx, current, user.id, role);
    // All steps use the rights from before, so that somebody who gives up their own rights with
    // this request keeps them until its end.
    if (fullName !== undefined && fullName.trim() !== "")
      await renameUserIn(tx, current, user.id, fullName);
    if (profileData !== undefined) {
      await changeProfileValuesIn(tx, current, user.id, profileData);
      auditUser(tx, current, user, {}, { profile_data: "changed" });
    }
    if (newEmail !== undefined) await changeEmailIn(tx, current, user.id, newEmail);
  });
}

/** By id alone, under the name of the path parameter of endpoints that also take an address. */
export const DeactivateUser = record({
  userIdOrEmail: id(),
  /** If given, even empty, the person gets a mail. */
  deactivationNotificationComment: optional(text()),
  revokeKeys: optional(flag()),
  actions: optional(
    Type.Object(
      {
        delete_profile: optional(flag()),
        delete_public_channel_messages: optional(flag()),
        delete_private_channel_messages: optional(flag()),
        delete_direct_messages: optional(flag()),
      },
      { additionalProperties: false },
    ),
  ),
});

/**
 * Deactivates a person or a bot, with a mail to them if a comment is given (`mailDeactivation`).
 * `revokeKeys` ends API keys for good. The action `delete_profile` deletes a person permanently,
 * even one who is already deactivated (`deleteUserIn`). The other three actions delete some of
 * their messages, in the background (`deleteSentJob`). Events and refusals: see these functions and
 * `deactivateUserIn`. Source: `test/recorded/api/api-surface.json`, deactivate-user.
 */
export async function deactivateNamedUser(
  ctx: Context<Person>,
  input: Input<typeof DeactivateUser>,
) {
  const {
    userIdOrEmail,
    actions = {},
    deactivationNotificationComment: given,
    revokeKeys: revokesKeys,
  } = input;
  const comment = given === undefined ? undefined : cleanComment(given);
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const user = await loadVisibleUser(tx, current, userIdOrEmail);
    await requireMayManage(tx, current, user);
    if (comment !== undefined) await mailDeactivation(tx, current, user, comment);
    if (actions.delete_profile) await deleteUserIn(tx, current, user.id);
    else await deactivateUserIn(tx, current, user.id, { revokesKeys });
    await deleteSentIn(tx, ctx, user.id, actions);
    const after = { actions: Object.entries(actions).flatMap(([name, is]) => (is ? [name] : [])) };
    const action = actions.delete_profile ? "user.delete" : "user.deactivate";
    tx.audit(current, { action, kind: "user", ids: [user.id], after });
  });
  await removalsSettled();
  return undefined;
}

type Actions = NonNullable<Input<typeof DeactivateUser>["actions"]>;

/** Enqueues the deletion of somebody's messages of the wanted kinds, as of now. */
async function deleteSentIn(tx: Tx, ctx: Context, userId: number, actions: Actions): Promise<void> {
  const wanted = {
    isPublicWanted: actions.delete_public_channel_messages === true,
    isPrivateWanted: actions.delete_private_channel_messages === true,
    isDirectWanted: actions.delete_direct_messages === true,
  };
  if (!Object.values(wanted).includes(true)) return;
  const upTo = await newestMessageId(tx, ctx.realm.id);
  await deleteSentJob.enqueue(tx, ctx, { userId, ...wanted, after: 0, upTo });
}

export const DeactivateOwnUser = record({ revokeKeys: optional(flag()) });

/**
 * Deactivates the actor. `revokeKeys` ends their API keys for good. Events and refusals: see
 * `deactivateUserIn`.
 */
export async function deactivateOwnUser(
  ctx: Context<Person>,
  { revokeKeys: revokesKeys }: Input<typeof DeactivateOwnUser>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    await deactivateUserIn(tx, await renewContext(tx, ctx), ctx.actor.user.id, { revokesKeys });
  });
}

export const ReactivateUser = record({ userId: id() });

/** Reactivates a person or a bot. Events and refusals: see `reactivateUserIn`. */
export async function reactivateNamedUser(
  ctx: Context<Person>,
  input: Input<typeof ReactivateUser>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const user = await loadVisibleUser(tx, current, input.userId);
    await reactivateUserIn(tx, current, user.id);
  });
}
