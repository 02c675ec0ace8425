import type { Context, Tx } from "../core/context";
import { holdsRole, isUnbound } from "../core/role";
import { type Grant, may } from "../user-groups/may";
import { systemGroupIds } from "../user-groups/queries";
import { type ChannelGroupSettingName, resolveChannelGroupSettings } from "./group-settings";
import type { ChannelRow, ChannelStanding } from "./queries";

const administrators: Grant = { role: "administrator" };

/** What a channel's own permissions grant. */
async function grantsOf(
  tx: Tx,
  { realm }: Context,
  channel: ChannelRow,
  ...names: ChannelGroupSettingName[]
): Promise<Grant[]> {
  const settings = resolveChannelGroupSettings(channel.settings, await systemGroupIds(tx, realm.id));
  return names.map((name) => ({ holders: settings[name] }));
}

const isGuestActor = ({ actor }: Context) => !holdsRole(actor, "member");

/** Guests never create channels, whatever groups they are in. */
export async function mayCreateChannel(tx: Tx, ctx: Context, inviteOnly: boolean): Promise<boolean> {
  if (isGuestActor(ctx)) return false;
  return may(tx, ctx, { realm: inviteOnly ? "can_create_private_channel_group" : "can_create_public_channel_group" });
}

/** Default channels concern everybody: they are the organization's administrators' to choose. */
export const mayChooseDefaults = (ctx: Context): boolean => holdsRole(ctx.actor, "administrator");

export async function mayAdministerChannel(tx: Tx, ctx: Context, channel: ChannelRow): Promise<boolean> {
  return may(tx, ctx, administrators, ...(await grantsOf(tx, ctx, channel, "can_administer_channel_group")));
}

/** Whether somebody may subscribe themselves. A private channel is joined by an explicit grant only, whatever the role. */
export async function mayJoinChannel(tx: Tx, ctx: Context, channel: ChannelRow): Promise<boolean> {
  if (isGuestActor(ctx)) return false;
  if (!channel.inviteOnly) return true;
  return may(tx, ctx, ...(await grantsOf(tx, ctx, channel, "can_subscribe_group", "can_add_subscribers_group")));
}

/** Whether somebody may subscribe others. In a private channel that takes being in it, or the channel's own grant. */
export async function mayAddSubscribers(tx: Tx, ctx: Context, standing: ChannelStanding): Promise<boolean> {
  const { channel, isSubscribed } = standing;
  const own = await grantsOf(tx, ctx, channel, "can_add_subscribers_group");
  if (channel.inviteOnly && !isSubscribed) return may(tx, ctx, ...own);
  const administering = await grantsOf(tx, ctx, channel, "can_administer_channel_group");
  return may(tx, ctx, administrators, { realm: "can_add_subscribers_group" }, ...own, ...administering);
}

export async function mayRemoveSubscribers(tx: Tx, ctx: Context, channel: ChannelRow): Promise<boolean> {
  if (isUnbound(ctx.actor)) return true;
  const own = await grantsOf(tx, ctx, channel, "can_remove_subscribers_group", "can_administer_channel_group");
  return may(tx, ctx, administrators, ...own);
}
