import { loadKnownChannel } from "../../channels/queries";
import type { Context, Tx } from "../../core/context";
import { badRequest, invalidParameter } from "../../core/errors";
import {
  isStoredGroupSetting,
  resolveGroupSetting,
  type StoredGroupSetting,
  type SystemGroupIds,
} from "../../core/rights/group-setting";
import { checkGroupSetting, checkGroupSettingChange } from "../../people/user-groups/setting-value";
import {
  namesChannel,
  namesChannelForReports,
  reportsArePrivate,
} from "../../realm/channel-settings";
import {
  isRealmSettingName,
  realmSettingFromWire,
  realmSettings,
  validateRealmSetting,
} from "../../realm/settings";
import { requireProvider } from "../../realm/video-chat";

/**
 * Settings that only owners change: who may join the organization and when they are trusted, who
 * manages its groups, and how long its messages are kept. Source: recorded behaviour of the
 * reference server.
 */
export const ownerSettings: ReadonlySet<string> = new Set([
  "authentication_methods",
  "can_create_groups",
  "can_invite_users_group",
  "can_manage_all_groups",
  "can_manage_billing_group",
  "create_multiuse_invite_group",
  "disallow_disposable_email_addresses",
  "emails_restricted_to_domains",
  "invite_required",
  "message_retention_days",
  "waiting_period_threshold",
]);

const holdsGroup = (name: string) =>
  isRealmSettingName(name) && realmSettings[name].type === "group";

const isGroupSetting = (name: string, value: unknown): value is StoredGroupSetting =>
  holdsGroup(name) && isStoredGroupSetting(value);

/**
 * The stored form of a value; refuses an invalid one. For a permission only the form is checked.
 */
export function checkedSetting(name: string, given: unknown): unknown {
  const value = isRealmSettingName(name) ? realmSettingFromWire(name, given) : given;
  const refusal = validateRealmSetting(name, value);
  if (refusal === undefined) return value;
  throw isLimit(name) ? invalidParameter(name, given, refusal) : badRequest(refusal);
}

/** Whether a setting is a number or the word "unlimited". */
function isLimit(name: string): boolean {
  const rule = isRealmSettingName(name) ? realmSettings[name] : undefined;
  return rule?.type === "integer" && "unlimited" in rule;
}

/** A value as on the wire: the name of a system group becomes its id. */
export const shownSetting = (name: string, value: unknown, ids: SystemGroupIds): unknown =>
  isGroupSetting(name, value) ? resolveGroupSetting(value, ids) : value;

/**
 * Present value of a setting, as on the wire; `stored` has those that differ from their defaults.
 */
function currentSetting(
  stored: Record<string, unknown>,
  name: string,
  ids: SystemGroupIds,
): unknown {
  if (name in stored) return shownSetting(name, stored[name], ids);
  return isRealmSettingName(name)
    ? shownSetting(name, realmSettings[name].default, ids)
    : undefined;
}

/** Stores a value if it differs from its default. Answers whether it has changed. */
export function storeSetting(
  stored: Record<string, unknown>,
  name: string,
  value: unknown,
  ids: SystemGroupIds,
): boolean {
  const before = currentSetting(stored, name, ids);
  const after = shownSetting(name, value, ids);
  delete stored[name];
  if (!Bun.deepEquals(after, currentSetting(stored, name, ids))) stored[name] = value;
  return !Bun.deepEquals(before, after);
}

/**
 * The stored form of a new value. Refuses an invalid one, a provider of calls that the server
 * lacks, a channel that the actor may not use, missing users and groups, and a permission that
 * differs from the `old` one.
 */
export async function checkedChange(
  tx: Tx,
  ctx: Context,
  stored: Record<string, unknown>,
  { name, given, old }: { name: string; given: unknown; old: unknown },
): Promise<unknown> {
  const setting = permissionNamed(stored, name);
  if (setting && old === undefined) return checkGroupSetting(tx, ctx.realm.id, setting, given);
  if (setting)
    return (
      (await checkGroupSettingChange(tx, ctx.realm.id, setting, { new: given, old })) ??
      setting.current
    );
  const value = checkedSetting(name, given);
  if (name === "video_chat_provider") requireProvider(ctx.app.config, value);
  if (namesChannel(name) && typeof value === "number" && value >= 0)
    await requireChannel(tx, ctx, name, value);
  return value;
}

/** A permission with its present value; undefined for every other setting. */
function permissionNamed(stored: Record<string, unknown>, name: string) {
  const rule = isRealmSettingName(name) ? realmSettings[name] : undefined;
  if (rule?.type !== "group") return undefined;
  const { permission, default: initial } = rule;
  const current = stored[name];
  return { name, permission, current: isStoredGroupSetting(current) ? current : initial };
}

async function requireChannel(tx: Tx, ctx: Context, setting: string, id: number) {
  const { channel } = await loadKnownChannel(ctx, tx, { id });
  if (channel.isArchived) throw badRequest(`Channel '${channel.name}' is archived.`);
  if (namesChannelForReports(setting) && !channel.inviteOnly) throw reportsArePrivate();
}
