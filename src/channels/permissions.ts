import type { Reader } from "../../db/reader";
import type { Context, Tx } from "../core/context";
import { refusedFor } from "../core/errors";
import { holdsRole, isUnbound } from "../core/rights/role";
import { type Grant, may, requireMay } from "../people/user-groups/may";
import { isInGroupSetting } from "../people/user-groups/queries";
import { findUser } from "../people/users/queries";
import { hasPublicAccess } from "../realm/queries";
import { type ChannelGroupSettingName, holdersOf } from "./group-settings";
import type { ChannelRow, ChannelStanding } from "./queries";
import { isSubscribed } from "./subscribers";

const administrators: Grant = { role: "administrator" };

/** Grants of a channel's own permissions. */
const grantsOf = (channel: ChannelRow, ...names: ChannelGroupSettingName[]): Grant[] =>
  names.map((name) => ({ holders: holdersOf(channel, name) }));

const isGuestActor = ({ actor }: Context) => !holdsRole(actor, "member");

/** Whether the actor may create such a channel. Guests never may, whatever groups they are in. */
export async function mayCreateChannel(
  tx: Tx,
  ctx: Context,
  inviteOnly: boolean,
): Promise<boolean> {
  if (isGuestActor(ctx)) return false;
  return may(tx, ctx, {
    realm: inviteOnly ? "can_create_private_channel_group" : "can_create_public_channel_group",
  });
}

/**
 * Refuses (BAD_REQUEST) an actor who may not make channels web-public, and everybody where the
 * server or the organization has no such channels. Source: WEB_PUBLIC_STREAMS_ENABLED in
 * `docs/protocol/decisions.md` 11, `can_create_web_public_channel_group`.
 */
export async function requireMayOpenToWeb(tx: Tx, ctx: Context) {
  if (!ctx.app.config.webPublicStreamsEnabled) {
    throw refusedFor(
      "web-off-server",
      "This server does not open channels to the web. The operator can allow it: web_public_streams_enabled = true.",
    );
  }
  if (!hasPublicAccess(ctx)) {
    throw refusedFor(
      "web-off-organization",
      "This organization has no channels that are open to the web: see enable_spectator_access.",
    );
  }
  const refusal = () =>
    refusedFor("web-open", "You do not have permission to open channels to the web.");
  await requireMay(tx, ctx, refusal, { realm: "can_create_web_public_channel_group" });
}

/**
 * Only the organization's administrators choose default channels, because these concern everybody.
 */
export const mayChooseDefaults = (ctx: Context): boolean => holdsRole(ctx.actor, "administrator");

/** Whether the actor administers a channel. Guests never do, whatever groups they are in. */
async function mayAdministerChannel(tx: Tx, ctx: Context, channel: ChannelRow): Promise<boolean> {
  if (isGuestActor(ctx)) return false;
  return may(tx, ctx, administrators, ...grantsOf(channel, "can_administer_channel_group"));
}

/** Refuses everybody who does not administer a channel (BAD_REQUEST). */
export async function requireMayAdminister(tx: Tx, ctx: Context, channel: ChannelRow) {
  if (await mayAdministerChannel(tx, ctx, channel)) return;
  throw refusedFor(
    "channel-administer",
    `You do not administer the channel '${channel.name}'. Ask one of its administrators, or an administrator of the organization.`,
    channel.name,
  );
}

/**
 * Whether somebody may subscribe themselves. Guests may where the channel is web-public. A private
 * channel needs an explicit grant, whatever the role.
 */
export async function mayJoinChannel(tx: Tx, ctx: Context, channel: ChannelRow): Promise<boolean> {
  if (channel.isWebPublic) return true;
  if (isGuestActor(ctx)) return false;
  if (!channel.inviteOnly) return true;
  return may(tx, ctx, ...grantsOf(channel, "can_subscribe_group", "can_add_subscribers_group"));
}

/**
 * Whether somebody may subscribe others; guests never may. A private channel needs a subscription,
 * or the channel's own grant.
 */
export async function mayAddSubscribers(
  tx: Tx,
  ctx: Context,
  standing: ChannelStanding,
): Promise<boolean> {
  if (isGuestActor(ctx)) return false;
  const { channel, isSubscribed } = standing;
  const adding = grantsOf(channel, "can_add_subscribers_group");
  if (channel.inviteOnly && !isSubscribed) return may(tx, ctx, ...adding);
  const administering = grantsOf(channel, "can_administer_channel_group");
  return may(
    tx,
    ctx,
    administrators,
    { realm: "can_add_subscribers_group" },
    ...adding,
    ...administering,
  );
}

export async function mayRemoveSubscribers(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
): Promise<boolean> {
  if (isUnbound(ctx.actor)) return true;
  const grants = grantsOf(channel, "can_remove_subscribers_group", "can_administer_channel_group");
  return may(tx, ctx, administrators, ...grants);
}

/**
 * Whether the actor may send to a channel that they may read: the actor, or the bot's owner, holds
 * `can_send_message_group`. Needs no query where that is everyone, which is the default.
 */
export async function maySendTo(
  reader: Reader,
  ctx: Context,
  channel: ChannelRow,
): Promise<boolean> {
  if (channel.isWebPublic && (await readsOnly(reader, ctx, channel))) return false;
  return holdsOrOwnerHolds(reader, ctx, channel, "can_send_message_group");
}

/**
 * Guests may read all web-public channels, but send only to channels that they are subscribed to.
 */
async function readsOnly(
  reader: Reader,
  ctx: Context,
  { realmId, id }: ChannelRow,
): Promise<boolean> {
  if (!isGuestActor(ctx) || !("user" in ctx.actor)) return false;
  return !(await isSubscribed(reader, realmId, ctx.actor.user.id, id));
}

/** Whether the actor may begin topics in a channel. */
export const mayBeginTopics = (tx: Tx, ctx: Context, channel: ChannelRow): Promise<boolean> =>
  holdsOrOwnerHolds(tx, ctx, channel, "can_create_topic_group");

async function holdsOrOwnerHolds(
  reader: Reader,
  ctx: Context,
  channel: ChannelRow,
  name: "can_send_message_group" | "can_create_topic_group",
): Promise<boolean> {
  const holders = holdersOf(channel, name);
  if (holders === "role:everyone" || (await may(reader, ctx, { holders }))) return true;
  const ownerId = "user" in ctx.actor ? ctx.actor.user.botOwnerId : null;
  const owner = ownerId === null ? undefined : await findUser(reader, ctx.realm.id, ownerId);
  return owner !== undefined && isInGroupSetting(reader, ctx, owner, holders);
}
