import { type Static, Type } from "@sinclair/typebox";
import type { Reader } from "../../../db/reader";
import type { Context, Person, UserRow } from "../../core/context";
import { JsonText, jsonMemory } from "../../core/json/raw-json";
import { mayReadAddress, sees } from "../../core/rights/person-visibility";
import { roles } from "../../core/rights/role";
import type { StateLoader } from "../../core/state";
import { may } from "../../people/user-groups/may";
import { avatarUrl, mediumAvatarUrl } from "../../people/users/avatar";
import { divideByActivity, listedUsers } from "../../people/users/listed";
import { listSystemBots, listUsers } from "../../people/users/queries";
import { viewerOf } from "../../people/users/viewer";
import {
  systemBotObject,
  systemBotWire,
  type UserView,
  unknownUserWire,
  userObject,
} from "../../people/users/wire";
import { hasPublicAccess, loadRealm } from "../../realm/queries";
import type { RealmGroupSettingName } from "../../realm/settings";

/** The actor and their rights. */
const ownStateObject = Type.Object({
  user_id: Type.Integer(),
  email: Type.String(),
  delivery_email: Type.String(),
  full_name: Type.String(),
  avatar_source: Type.String({
    description: "J for a picture that the server draws, G for Gravatar, U for an upload.",
  }),
  avatar_url: Type.String(),
  avatar_url_medium: Type.String(),
  is_owner: Type.Boolean(),
  is_admin: Type.Boolean(),
  is_moderator: Type.Boolean(),
  is_guest: Type.Boolean(),
  can_create_streams: Type.Boolean(),
  can_create_public_streams: Type.Boolean(),
  can_create_private_streams: Type.Boolean(),
  can_create_web_public_streams: Type.Boolean(),
  can_subscribe_other_users: Type.Boolean(),
  can_invite_others_to_realm: Type.Boolean(),
});

/** The keys of the fetch event type `realm_user`: everybody, the actor, and the actor's rights. */
export const userStateLoader = {
  fetchTypes: ["realm_user"],
  keys: {
    realm_users: Type.Array(userObject),
    realm_non_active_users: Type.Array(userObject),
    cross_realm_bots: Type.Array(systemBotObject),
    ...ownStateObject.properties,
  },
  async load(ctx, reader, { clientGravatar, userListIncomplete }) {
    const realm = await loadRealm(reader, ctx.realm.id);
    const viewer = await viewerOf(reader, { ...ctx, realm });
    const includeProfileData = ctx.actor.kind !== "spectator";
    const view = { clientGravatar, includeProfileData, viewer, realmHost: realm.host };
    const users = await listUsers(reader, realm.id);
    const { active, inactive } = divideByActivity(users);
    const seesAll = viewer.seen === undefined;
    const hidden = seesAll || userListIncomplete ? [] : users.filter((user) => !sees(viewer, user));
    const unknown = hidden.map(({ id }) => unknownUserWire(id, realm));
    const systemBots = await listSystemBots(reader, realm.id);
    return {
      realm_users: withMore(listedUsers(active, view), unknown),
      realm_non_active_users: listedUsers(inactive, view),
      cross_realm_bots: systemBots.map((bot) => botText(bot, view)),
      ...(await ownState(ctx, reader)),
    };
  },
} satisfies StateLoader;

/** A list in JSON with more entries at its end. */
function withMore(list: JsonText, more: readonly object[]): JsonText {
  if (more.length === 0) return list;
  const entries = [list.text.slice(1, -1), ...more.map((entry) => JSON.stringify(entry))].filter(
    (text) => text !== "",
  );
  return new JsonText(`[${entries.join(",")}]`);
}

const texts = jsonMemory<UserRow>();

const botText = (bot: UserRow, view: UserView) =>
  texts(bot, [view.clientGravatar, mayReadAddress(view.viewer, bot)].join(), () =>
    systemBotWire(bot, view),
  );

/**
 * The part of the actor's own state that depends only on the user's row. It is cached, because the
 * addresses of the pictures take two hashes.
 */
const ownParts = new WeakMap<UserRow, ReturnType<typeof ownPart>>();

const ownPart = (user: UserRow) => ({
  user_id: user.id,
  email: user.email,
  delivery_email: user.email,
  full_name: user.fullName,
  avatar_source: user.avatarSource,
  avatar_url: avatarUrl({ email: user.email, picture: user }, false),
  avatar_url_medium: mediumAvatarUrl({ email: user.email, picture: user }),
  is_owner: user.role <= roles.owner,
  is_admin: user.role <= roles.administrator,
  is_moderator: user.role <= roles.moderator,
  is_guest: user.role >= roles.guest,
});

async function ownState(
  { realm: { id: realmId }, ...rest }: Context<Person>,
  reader: Reader,
): Promise<Static<typeof ownStateObject>> {
  const realm = await loadRealm(reader, realmId);
  const ctx = { ...rest, realm };
  const { app, actor } = ctx;
  const holds = (name: RealmGroupSettingName) => may(reader, ctx, { realm: name });
  const mayCreatePublic = await holds("can_create_public_channel_group");
  const mayCreatePrivate = await holds("can_create_private_channel_group");
  return {
    ...ownParts.getOrInsertComputed(actor.user, ownPart),
    can_create_streams: mayCreatePublic || mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_private_streams: mayCreatePrivate,
    can_create_web_public_streams:
      hasPublicAccess({ app, realm }) && (await holds("can_create_web_public_channel_group")),
    can_subscribe_other_users: await holds("can_add_subscribers_group"),
    can_invite_others_to_realm: await holds("can_invite_users_group"),
  };
}
