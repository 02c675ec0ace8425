import type { Context, Tx } from "../core/context";
import type { StoredGroupSetting } from "../core/group-setting";
import { parseRealmSettings, type RealmSettings } from "../realm/settings";
import { isInGroupSetting, systemGroupIds } from "../user-groups/queries";
import { type ChannelGroupSettingName, resolveChannelGroupSettings } from "./group-settings";
import { type ChannelRow, type ChannelStanding, isAdministrator, isGuest } from "./queries";

/** Whether no rule binds the actor: the operator, and the server's own work. */
const isUnbound = ({ actor }: Context) => actor.kind === "operator" || actor.kind === "job";

async function isHeldBy(tx: Tx, ctx: Context, value: StoredGroupSetting): Promise<boolean> {
  return "user" in ctx.actor && isInGroupSetting(tx, ctx, ctx.actor.user, value);
}

async function holdsInRealm(tx: Tx, ctx: Context, name: keyof RealmSettings & `can_${string}`): Promise<boolean> {
  return isHeldBy(tx, ctx, parseRealmSettings(ctx.realm.settings)[name]);
}

async function holdsInChannel(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
  ...names: ChannelGroupSettingName[]
): Promise<boolean> {
  const settings = resolveChannelGroupSettings(channel.settings, await systemGroupIds(tx, ctx.realm.id));
  for (const name of names) if (await isHeldBy(tx, ctx, settings[name])) return true;
  return false;
}

const isRealmAdministrator = ({ actor }: Context) => "user" in actor && isAdministrator(actor.user.role);

const isGuestActor = ({ actor }: Context) => "user" in actor && isGuest(actor.user.role);

/** Guests never create channels, whatever groups they are in. */
export async function mayCreateChannel(tx: Tx, ctx: Context, inviteOnly: boolean): Promise<boolean> {
  if (isUnbound(ctx)) return true;
  if (isGuestActor(ctx)) return false;
  return holdsInRealm(tx, ctx, inviteOnly ? "can_create_private_channel_group" : "can_create_public_channel_group");
}

/** Default channels concern everybody: they are the organization's administrators' to choose. */
export const mayChooseDefaults = (ctx: Context): boolean => isUnbound(ctx) || isRealmAdministrator(ctx);

export async function mayAdministerChannel(tx: Tx, ctx: Context, channel: ChannelRow): Promise<boolean> {
  if (isUnbound(ctx) || isRealmAdministrator(ctx)) return true;
  return holdsInChannel(tx, ctx, channel, "can_administer_channel_group");
}

/** Whether somebody may subscribe themselves. A private channel is joined by an explicit grant only, whatever the role. */
export async function mayJoinChannel(tx: Tx, ctx: Context, channel: ChannelRow): Promise<boolean> {
  if (isUnbound(ctx)) return true;
  if (isGuestActor(ctx)) return false;
  if (!channel.inviteOnly) return true;
  return holdsInChannel(tx, ctx, channel, "can_subscribe_group", "can_add_subscribers_group");
}

/** Whether somebody may subscribe others. In a private channel that takes being in it, or the channel's own grant. */
export async function mayAddSubscribers(tx: Tx, ctx: Context, standing: ChannelStanding): Promise<boolean> {
  const { channel, isSubscribed } = standing;
  if (isUnbound(ctx)) return true;
  if (channel.inviteOnly && !isSubscribed) return holdsInChannel(tx, ctx, channel, "can_add_subscribers_group");
  if (isRealmAdministrator(ctx) || (await holdsInRealm(tx, ctx, "can_add_subscribers_group"))) return true;
  return holdsInChannel(tx, ctx, channel, "can_add_subscribers_group", "can_administer_channel_group");
}

export async function mayRemoveSubscribers(tx: Tx, ctx: Context, channel: ChannelRow): Promise<boolean> {
  if (isUnbound(ctx) || isRealmAdministrator(ctx)) return true;
  return holdsInChannel(tx, ctx, channel, "can_remove_subscribers_group", "can_administer_channel_group");
}
