import { type Static, Type } from "@sinclair/typebox";
import type { Context, Person, RealmRow, UserRow } from "../../core/context";
import { flag, type Input, ids, optional, record, text } from "../../core/params";
import { sees } from "../../core/rights/person-visibility";
import { findUsersByIds, listUsers, newestMessageId } from "./queries";
import { loadVisibleUser, viewerOf } from "./viewer";
import { type UserObject, type UserView, userObject, userWire } from "./wire";

const view = { clientGravatar: optional(flag()), includeCustomProfileFields: optional(flag()) };

export const GetUsers = record({ ...view, userIds: optional(ids()) });
export const GetUser = record({ ...view, userIdOrEmail: text() });
export const GetOwnUser = record({});

export const UserList = record({ members: Type.Array(userObject) });
export const OneUser = record({ user: userObject });
export const OwnUser = record({
  ...userObject.properties,
  max_message_id: Type.Integer({
    description: "Id of the newest message of the organization; -1 where there is none.",
  }),
});

interface ViewInput {
  clientGravatar?: boolean;
  includeCustomProfileFields?: boolean;
}

async function viewOf(ctx: Context, input: ViewInput, among?: number[]): Promise<UserView> {
  return {
    clientGravatar: input.clientGravatar ?? true,
    includeProfileData:
      ctx.actor.kind !== "spectator" && (input.includeCustomProfileFields ?? false),
    viewer: await viewerOf(ctx.reader, ctx, among),
    realmHost: ctx.realm.host,
  };
}

/**
 * The people and bots of the realm whom the actor sees, including deactivated ones, by id; with
 * `userIds`, only these (`docs/protocol/specification.md`, GET /users).
 */
export async function getUsers(
  ctx: Context<Person>,
  input: Input<typeof GetUsers>,
): Promise<Static<typeof UserList>> {
  const users = input.userIds
    ? (await findUsersByIds(ctx.reader, ctx.realm.id, input.userIds)).sort((a, b) => a.id - b.id)
    : await listUsers(ctx.reader, ctx.realm.id);
  const shown = await viewOf(ctx, input, input.userIds);
  const visible = users.filter((user) => !user.isSystemBot && sees(shown.viewer, user));
  return { members: visible.map((user) => userWire(user, shown)) };
}

/**
 * One user, by id or by the real or placeholder e-mail address. Refuses missing users, users whom
 * the actor does not see and real addresses that they may not read alike (BAD_REQUEST).
 */
export async function getUser(
  ctx: Context<Person>,
  input: Input<typeof GetUser>,
): Promise<Static<typeof OneUser>> {
  const user = await loadVisibleUser(ctx.reader, ctx, input.userIdOrEmail);
  return { user: userWire(user, await viewOf(ctx, input, [user.id])) };
}

/** A person as they see themself, with their profile. */
export const ownUserWire = ({ host }: RealmRow, user: UserRow): UserObject =>
  userWire(user, {
    clientGravatar: false,
    includeProfileData: true,
    realmHost: host,
    viewer: { userId: user.id, role: user.role, seen: undefined },
  });

/**
 * The actor, with the id of the realm's newest message (−1 when there is none), which old clients
 * read.
 */
export async function getOwnUser(ctx: Context<Person>): Promise<Static<typeof OwnUser>> {
  const shown = ownUserWire(ctx.realm, ctx.actor.user);
  return { ...shown, max_message_id: await newestMessageId(ctx.reader, ctx.realm.id) };
}
