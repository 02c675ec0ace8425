import type { Reader } from "../../db/reader";
import type { Context, Person, UserRow } from "../core/context";
import type { StoredGroupSetting } from "../core/group-setting";
import { jsonMemory } from "../core/raw-json";
import { roles } from "../core/role";
import { mayReadAddress, sees } from "../core/sight";
import type { StateLoader } from "../core/state";
import { loadRealm } from "../realm/queries";
import { parseRealmSettings } from "../realm/settings";
import { isInGroupSetting } from "../user-groups/queries";
import { avatarUrl, mediumAvatarUrl } from "./avatar";
import { onlookerOf } from "./onlooker";
import { listSystemBots, listUsers } from "./queries";
import { systemBotWire, type UserView, unknownUserWire, userWire } from "./wire";

/** The keys of the fetch event type `realm_user`: everybody, the user who asks, and what they may do. */
export const userStateLoader: StateLoader = {
  fetchTypes: ["realm_user"],
  async load(ctx, reader, { clientGravatar, userListIncomplete }) {
    const realm = await loadRealm(reader, ctx.realm.id);
    const onlooker = await onlookerOf(reader, { ...ctx, realm });
    const view = { clientGravatar, includeProfileData: true, onlooker, realmHost: realm.host };
    const [visible, hidden] = divide(await listUsers(reader, realm.id), (user) => sees(onlooker, user));
    const shown = (isActive: boolean) =>
      visible.filter((user) => user.isActive === isActive).map((user) => userText(user, view));
    const unknown = userListIncomplete ? [] : hidden.map(({ id }) => unknownUserWire(id, realm));
    const systemBots = await listSystemBots(reader, realm.id);
    return {
      realm_users: [...shown(true), ...unknown],
      realm_non_active_users: shown(false),
      cross_realm_bots: systemBots.map((bot) => systemBotWire(bot, view)),
      ...(await ownState(ctx, reader)),
    };
  },
};

const texts = jsonMemory<UserRow>();

/** A user whom the onlooker sees: all see the same, but for the address and what follows from it. */
const userText = (user: UserRow, view: UserView) =>
  texts(user, [view.clientGravatar, mayReadAddress(view.onlooker, user)].join(), () => userWire(user, view));

function divide<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const { first = [], second = [] } = Object.groupBy(items, (item) => (isFirst(item) ? "first" : "second"));
  return [first, second];
}

async function ownState({ realm: { id: realmId }, actor: { user }, now }: Context<Person>, reader: Reader) {
  const realm = await loadRealm(reader, realmId);
  const settings = parseRealmSettings(realm.settings);
  const may = (value: StoredGroupSetting) => isInGroupSetting(reader, { realm, now }, user, value);
  const mayCreatePublic = await may(settings.can_create_public_channel_group);
  const mayCreatePrivate = await may(settings.can_create_private_channel_group);
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.fullName,
    avatar_source: "G",
    avatar_url: avatarUrl(user, false),
    avatar_url_medium: mediumAvatarUrl(user),
    is_owner: user.role <= roles.owner,
    is_admin: user.role <= roles.administrator,
    is_moderator: user.role <= roles.moderator,
    is_guest: user.role >= roles.guest,
    can_create_streams: mayCreatePublic || mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_private_streams: mayCreatePrivate,
    // The server has no channels that are open to the web.
    can_create_web_public_streams: false,
    can_subscribe_other_users: await may(settings.can_add_subscribers_group),
    can_invite_others_to_realm: await may(settings.can_invite_users_group),
  };
}
