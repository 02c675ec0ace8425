import { and, asc, eq, ne } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { channelGroupSettings } from "../../channels/group-settings";
import { listChannels } from "../../channels/queries";
import { namesGroup, parseStoredSettings } from "../../core/rights/group-setting";
import { userGroupSettings } from "../../people/user-groups/group-settings";
import type { UserGroupRow } from "../../people/user-groups/queries";
import { loadRealm } from "../../realm/queries";

/** Use of a group, in the form of the `objections` of CANNOT_DEACTIVATE_GROUP_IN_USE. */
export type GroupUse =
  | { type: "subgroup"; supergroup_ids: number[] }
  | { type: "channel"; channel_id: number; settings: string[] }
  | { type: "user_group"; group_id: number; settings: string[] }
  | { type: "realm"; settings: string[] };

/**
 * Every use of a group: in active groups, and in permissions of the realm, of its channels and of
 * active groups.
 */
export async function findUses(reader: Reader, group: UserGroupRow): Promise<GroupUse[]> {
  const { realmId, id: groupId } = group;
  const { settings: ofRealm } = await loadRealm(reader, realmId);
  const supergroupIds = await listSupergroupIds(reader, group);
  const channels = (await listChannels(reader, realmId)).filter(({ isArchived }) => !isArchived);
  const groups = await listOwnGroups(reader, realmId);
  const settingsIn = (stored: string, names: readonly string[]) =>
    settingsNaming(stored, groupId, names);
  const uses: GroupUse[] = [
    { type: "subgroup", supergroup_ids: supergroupIds },
    ...channels.map(({ id, settings }) => ({
      type: "channel" as const,
      channel_id: id,
      settings: settingsIn(settings, channelSettingNames),
    })),
    ...groups.map(({ id, settings }) => ({
      type: "user_group" as const,
      group_id: id,
      settings: settingsIn(settings, groupSettingNames),
    })),
    { type: "realm", settings: settingsIn(ofRealm, Object.keys(parseStoredSettings(ofRealm))) },
  ];
  return uses.filter(
    (use) => (use.type === "subgroup" ? use.supergroup_ids : use.settings).length > 0,
  );
}

const channelSettingNames = Object.keys(channelGroupSettings);
const groupSettingNames = Object.keys(userGroupSettings);

/**
 * The settings that name a group. `stored` is the JSON of a realm's, a channel's or a group's
 * settings.
 */
function settingsNaming(stored: string, groupId: number, names: readonly string[]): string[] {
  // Most settings name no group by its id, and this check needs no parsing.
  if (!stored.includes(String(groupId))) return [];
  const settings = parseStoredSettings(stored);
  return names.filter((name) => namesGroup(settings[name], groupId));
}

async function listSupergroupIds(
  { db, t }: Reader,
  { realmId, id: groupId }: UserGroupRow,
): Promise<number[]> {
  const { userGroups, userGroupSubgroups: links } = t;
  const rows = await db
    .select({ id: userGroups.id })
    .from(links)
    .innerJoin(userGroups, and(eq(userGroups.realmId, realmId), eq(userGroups.id, links.groupId)))
    .where(
      and(eq(links.realmId, realmId), eq(links.subgroupId, groupId), eq(userGroups.isActive, true)),
    )
    .orderBy(asc(userGroups.id));
  return rows.map(({ id }) => id);
}

function listOwnGroups({ db, t }: Reader, realmId: number) {
  const { userGroups } = t;
  return db
    .select({ id: userGroups.id, settings: userGroups.settings })
    .from(userGroups)
    .where(
      and(
        eq(userGroups.realmId, realmId),
        eq(userGroups.isActive, true),
        ne(userGroups.settings, "{}"),
      ),
    )
    .orderBy(asc(userGroups.id));
}
