import { listChannels } from "../../channels/queries";
import type { Context } from "../../core/context";
import { isStoredGroupSetting } from "../../core/rights/group-setting";
import { listGroups } from "../../people/user-groups/queries";
import { listUsers } from "../../people/users/queries";
import { namesChannel } from "../../realm/channel-settings";
import { isRealmSettingName, realmSettings } from "../../realm/settings";
import { dumpHolders } from "./dumping";

/**
 * Settings of an organization with names in place of ids, in the form in which the operator may
 * give them: a permission as its groups and addresses, separated by commas, without deactivated
 * ones; a channel as its name, or `none`. All other settings stay as they are.
 */
export async function nameSettings(
  ctx: Context,
  settings: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { reader, realm, now } = ctx;
  const groups = await listGroups(reader, { realm, now });
  const users = await listUsers(reader, realm.id);
  const channels = await listChannels(reader, realm.id);
  const active = users.filter(({ isActive }) => isActive);
  const naming = { stored: { groups }, accounts: new Map(active.map((user) => [user.id, user])) };
  const named = (name: string, value: unknown): unknown => {
    if (!isRealmSettingName(name)) return value;
    const rule = realmSettings[name];
    if (rule.type === "group" && isStoredGroupSetting(value)) {
      const holders = dumpHolders(naming, name, rule.permission, value) ?? "role:nobody";
      return [holders].flat().join(",");
    }
    if (!namesChannel(name)) return value;
    if (value === -1) return "none";
    return channels.find(({ id }) => id === value)?.name ?? value;
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, named(name, value)]),
  );
}
