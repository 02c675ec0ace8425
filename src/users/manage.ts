import type { Context, Person } from "../core/context";
import { badRequest } from "../core/errors";
import { type Input, id, integer, json, optional, record, text } from "../core/params";
import { isRole } from "../core/role";
import { write } from "../core/write";
import { tellIn } from "../profile-fields/values";
import { deactivateUserIn, reactivateUserIn } from "./deactivate";
import { loadVisibleUser } from "./onlooker";
import { requireMayManage } from "./permission";
import { renewContext } from "./renew-context";
import { changeEmailIn, renameUserIn, updateUserRoleIn } from "./update";

export const UpdateUser = record({
  userIdOrEmail: text(),
  fullName: optional(text()),
  role: optional(integer()),
  newEmail: optional(text()),
  profileData: optional(json()),
});

/**
 * Changes the account of a person or a bot, by id or e-mail address: all that is given, or nothing; a blank name leaves the
 * name as it is. Events and refusals: see `updateUserRoleIn`, `renameUserIn` and `changeEmailIn`; whom the actor does not
 * see is refused like who does not exist (BAD_REQUEST). Source: `api/api-surface.json`, update-user.
 */
export async function updateUser(ctx: Context<Person>, input: Input<typeof UpdateUser>): Promise<undefined> {
  const { role, fullName, newEmail, profileData } = input;
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const user = await loadVisibleUser(tx, current, input.userIdOrEmail);
    await requireMayManage(tx, current, user);
    if (role !== undefined && !isRole(role)) throw badRequest("Invalid role: use 100, 200, 300, 400 or 600.");
    if (role !== undefined) await updateUserRoleIn(tx, current, user.id, role);
    // Whoever gives up their own rights with this request keeps them until all of it is done.
    if (fullName !== undefined && fullName.trim() !== "") await renameUserIn(tx, current, user.id, fullName);
    if (profileData !== undefined) await tellIn(tx, current, user.id, profileData);
    if (newEmail !== undefined) await changeEmailIn(tx, current, user.id, newEmail);
  });
}

/** By id alone, under the name that the path has where it also takes an address. */
export const DeactivateUser = record({ userIdOrEmail: id() });

/** Deactivates a person or a bot. Events and refusals: see `deactivateUserIn`. */
export async function deactivateNamedUser(ctx: Context<Person>, input: Input<typeof DeactivateUser>) {
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const user = await loadVisibleUser(tx, current, input.userIdOrEmail);
    await requireMayManage(tx, current, user);
    await deactivateUserIn(tx, current, user.id);
  });
  return undefined;
}

export const DeactivateOwnUser = record({});

/** Deactivates the user who asks. Events and refusals: see `deactivateUserIn`. */
export async function deactivateOwnUser(ctx: Context<Person>): Promise<undefined> {
  await write(ctx, async (tx) => deactivateUserIn(tx, await renewContext(tx, ctx), ctx.actor.user.id));
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
