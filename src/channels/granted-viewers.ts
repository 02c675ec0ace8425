import type { Reader } from "../../db/reader";
import type { RealmMoment, UserRow } from "../core/context";
import type { StoredGroupSetting } from "../core/rights/group-setting";
import { roles } from "../core/rights/role";
import { isInGroupSetting, listHolderIds } from "../people/user-groups/queries";
import { listUsers } from "../people/users/queries";
import { type ChannelGroupSettingName, holdersOf } from "./group-settings";
import type { ChannelRow } from "./queries";

type ChannelSettings = Pick<ChannelRow, "inviteOnly" | "settings">;

/**
 * Permissions whose holders know of a private channel without a subscription, because they need
 * that to use them. Guests never do.
 */
const viewerSettings = [
  "can_add_subscribers_group",
  "can_administer_channel_group",
  "can_subscribe_group",
] as const satisfies ChannelGroupSettingName[];

const isNobody = (value: StoredGroupSetting) =>
  value === "role:nobody" ||
  (typeof value === "object" &&
    value.direct_members.length === 0 &&
    value.direct_subgroups.length === 0);

/**
 * Values whose holders know of a private channel without a subscription. In most channels they
 * contain only its creator.
 */
function viewerGrants(channel: ChannelSettings): StoredGroupSetting[] {
  if (!channel.inviteOnly || channel.settings === "{}") return [];
  return viewerSettings.map((name) => holdersOf(channel, name)).filter((value) => !isNobody(value));
}

/** Whether somebody may know of a private channel by one of its permissions. */
export async function isGrantedViewer(
  reader: Reader,
  moment: RealmMoment,
  user: UserRow,
  channel: ChannelSettings,
): Promise<boolean> {
  if (user.role >= roles.guest) return false;
  for (const value of viewerGrants(channel))
    if (await isInGroupSetting(reader, moment, user, value)) return true;
  return false;
}

/**
 * The ids of people who may know of a private channel by one of its permissions. Guests do not
 * count.
 */
export async function grantedViewerIds(
  reader: Reader,
  moment: RealmMoment,
  channel: ChannelSettings,
): Promise<ReadonlySet<number>> {
  const [ids = new Set<number>()] = await grantedViewersOfEach(reader, moment, [channel]);
  return ids;
}

/**
 * Holders in several channels. A permission value that many channels share is evaluated once. With
 * `users`, only these people and those that a permission names are considered.
 */
export async function grantedViewersOfEach(
  reader: Reader,
  moment: RealmMoment,
  channels: readonly ChannelSettings[],
  users?: readonly UserRow[],
): Promise<ReadonlySet<number>[]> {
  const grants = channels.map(viewerGrants);
  const byGroups = new Map(
    grants
      .flat()
      .filter((value) => !isPlain(value))
      .map((value) => [JSON.stringify(value), value]),
  );
  const asked = byGroups.size === 0 ? [] : (users ?? (await listUsers(reader, moment.realm.id)));
  const members = asked.filter(({ role }) => role < roles.guest);
  const holders = new Map<string, ReadonlySet<number>>();
  for (const [key, value] of byGroups)
    holders.set(key, await listHolderIds(reader, moment, value, members));
  const named = (value: StoredGroupSetting) =>
    typeof value === "object" ? value.direct_members : [];
  return grants.map(
    (values) =>
      new Set(
        values.flatMap((value) => [...named(value), ...(holders.get(JSON.stringify(value)) ?? [])]),
      ),
  );
}

const isPlain = (value: StoredGroupSetting) =>
  typeof value === "object" && value.direct_subgroups.length === 0;

/** The groups whose members know a private channel. */
export const viewerGroupIds = (channel: ChannelSettings): number[] =>
  viewerGrants(channel).flatMap((value) => {
    if (typeof value === "object") return value.direct_subgroups;
    return typeof value === "number" ? [value] : [];
  });
