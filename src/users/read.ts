import type { Context, Person } from "../core/context";
import { flag, type Input, ids, optional, record, text } from "../core/params";
import { findUsersByIds, listUsers, loadUserNamed, newestMessageId } from "./queries";
import { type UserObject, type UserView, userWire } from "./wire";

const view = { clientGravatar: optional(flag()), includeCustomProfileFields: optional(flag()) };

export const GetUsers = record({ ...view, userIds: optional(ids()) });
export const GetUser = record({ ...view, userIdOrEmail: text() });
export const GetOwnUser = record({});

const viewOf = (input: { clientGravatar?: boolean; includeCustomProfileFields?: boolean }): UserView => ({
  clientGravatar: input.clientGravatar ?? true,
  includeProfileData: input.includeCustomProfileFields ?? false,
});

/**
 * The realm's people and bots, deactivated ones included, by id; with `userIds`, those of them that exist
 * (`spec/seed.md`, GET /users).
 */
export async function getUsers(
  ctx: Context<Person>,
  input: Input<typeof GetUsers>,
): Promise<{ members: UserObject[] }> {
  const users = input.userIds
    ? (await findUsersByIds(ctx.reader, ctx.realm.id, input.userIds)).sort((a, b) => a.id - b.id)
    : await listUsers(ctx.reader, ctx.realm.id);
  const shown = viewOf(input);
  return { members: users.filter(({ isSystemBot }) => !isSystemBot).map((user) => userWire(user, shown)) };
}

/** One user, by id or by the real or placeholder e-mail address. Refuses what names nobody (BAD_REQUEST). */
export async function getUser(ctx: Context<Person>, input: Input<typeof GetUser>): Promise<{ user: UserObject }> {
  const user = await loadUserNamed(ctx.reader, ctx.realm.id, input.userIdOrEmail);
  return { user: userWire(user, viewOf(input)) };
}

/** The user who asks, with the id of the realm's newest message (−1 when there is none), which old clients read. */
export async function getOwnUser(ctx: Context<Person>) {
  const shown = userWire(ctx.actor.user, { clientGravatar: false, includeProfileData: true });
  return { ...shown, max_message_id: await newestMessageId(ctx.reader, ctx.realm.id) };
}
