import { and, eq } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { type FolderRow, listFolders } from "../../channels/channel-folders/queries";
import { type ChannelRow, listChannels } from "../../channels/queries";
import type { RealmRow, UserRow } from "../../core/context";
import type { SystemGroupIds } from "../../core/group-setting";
import { listPlaygrounds, type Playground } from "../../management/playgrounds/queries";
import { listProfileFields, type ProfileField } from "../../management/profile-fields/queries";
import { type BotRow, findBotRows } from "../../people/bots/queries";
import { type GroupWithMembers, listGroups } from "../../people/user-groups/queries";
import { listSystemBots, listUsers } from "../../people/users/queries";
import { systemGroupIds } from "../../people/users/system-group-membership";
import { type Domain, listDomains } from "../../realm/domains/queries";
import { type Linkifier, listLinkifiers } from "../../realm/linkifiers/queries";
import { loadRealm } from "../../realm/queries";
import { listRealmEmoji, type RealmEmoji } from "../../realm/realm-emoji/queries";

/** Everything of a realm that a declaration is compared with. */
export interface Stored {
  realm: RealmRow | undefined;
  /** People and bots, deactivated ones too. */
  users: readonly UserRow[];
  /** Facts about bots beside their accounts, by id. */
  bots: ReadonlyMap<number, BotRow>;
  /** The bots that chatd itself speaks through. */
  systemBots: readonly UserRow[];
  groups: readonly GroupWithMembers[];
  /**
   * The ids of those who are in a group directly, by the group's id; also of deactivated ones, who
   * may come back.
   */
  members: ReadonlyMap<number, ReadonlySet<number>>;
  systemGroupIds: SystemGroupIds;
  channels: readonly ChannelRow[];
  /** The ids of subscribers by the channel's id; also of deactivated ones. */
  subscribers: ReadonlyMap<number, ReadonlySet<number>>;
  domains: readonly Domain[];
  linkifiers: readonly Linkifier[];
  playgrounds: readonly Playground[];
  profileFields: readonly ProfileField[];
  /** Archived ones too. */
  folders: readonly FolderRow[];
  /** Deactivated ones too. */
  emoji: readonly RealmEmoji[];
}

/** Stored data of a realm that does not exist yet. */
export const nothingStored: Stored = {
  realm: undefined,
  users: [],
  bots: new Map(),
  systemBots: [],
  groups: [],
  members: new Map(),
  systemGroupIds: {},
  channels: [],
  subscribers: new Map(),
  domains: [],
  linkifiers: [],
  playgrounds: [],
  profileFields: [],
  folders: [],
  emoji: [],
};

/** Reads a realm. `now` is UNIX seconds. */
export async function readStored(reader: Reader, realmId: number, now: number): Promise<Stored> {
  const realm = await loadRealm(reader, realmId);
  const users = await listUsers(reader, realmId);
  const botIds = users.filter(({ botType }) => botType !== null).map(({ id }) => id);
  return {
    realm,
    users,
    bots: await findBotRows(reader, realmId, botIds),
    systemBots: await listSystemBots(reader, realmId),
    groups: await listGroups(reader, { realm, now }),
    systemGroupIds: await systemGroupIds(reader, realmId),
    members: await listMembers(reader, realmId),
    channels: await listChannels(reader, realmId),
    subscribers: await listSubscribers(reader, realmId),
    domains: await listDomains(reader, realmId),
    linkifiers: await listLinkifiers(reader, realmId),
    playgrounds: await listPlaygrounds(reader, realmId),
    profileFields: await listProfileFields(reader, realmId),
    folders: await listFolders(reader, realmId),
    emoji: await listRealmEmoji(reader, realmId),
  };
}

async function listMembers({ db, t }: Reader, realmId: number) {
  const { groupId, userId } = t.userGroupMembers;
  const rows = await db
    .select({ holder: groupId, userId })
    .from(t.userGroupMembers)
    .where(eq(t.userGroupMembers.realmId, realmId));
  return idsByHolder(rows);
}

async function listSubscribers({ db, t }: Reader, realmId: number) {
  const { channelId, userId, isActive } = t.subscriptions;
  const rows = await db
    .select({ holder: channelId, userId })
    .from(t.subscriptions)
    .where(and(eq(t.subscriptions.realmId, realmId), eq(isActive, true)));
  return idsByHolder(rows);
}

function idsByHolder(
  rows: readonly { holder: number; userId: number }[],
): Map<number, Set<number>> {
  const groups = Map.groupBy(rows, ({ holder }) => holder);
  return new Map(
    [...groups].map(([holder, members]) => [holder, new Set(members.map(({ userId }) => userId))]),
  );
}
