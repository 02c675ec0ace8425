import { type ChannelRow, findChannel } from "../../channels/queries";
import type { Context, Tx } from "../../core/context";
import { namedInNotice } from "../../core/notice-actor";
import type { ChannelPrivacy } from "../../core/reading-right/predicate";
import { sendNoticeIn } from "../../messages/send/notice";
import { parseRealmSettings } from "../../realm/settings";

const eventsTopic = "channel events";
const announcementsTopic = "new channels";

/** The actor, who needs no notice. */
const actorOf = ({ actor }: Context): number[] => ("user" in actor ? [actor.user.id] : []);

/** Name of a channel's access: public, private or web-public, and its history. */
export function accessName(
  channel: Pick<ChannelRow, "historyPublicToSubscribers"> & ChannelPrivacy,
): string {
  if (channel.isWebPublic) return "Web-public";
  if (!channel.inviteOnly) return "Public";
  return channel.historyPublicToSubscribers
    ? "Private, shared history"
    : "Private, protected history";
}

/**
 * A description as a quotation, whose mentions notify nobody. The fence is longer than any in it.
 */
export function quoteDescription(description: string): string {
  const runs = (description.match(/`{4,}/g) ?? []).map(({ length }) => length + 1);
  const fence = "`".repeat(Math.max(4, ...runs));
  return `${fence} quote\n${description === "" ? "*No description.*" : description}\n${fence}`;
}

/**
 * Posts a notice in a channel, unless the organization has turned such messages off. Announces
 * `message` to its subscribers; for `readBy` it counts as read.
 */
export async function tellChannel(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
  content: string,
  readBy?: readonly number[],
) {
  if (!parseRealmSettings(ctx.realm.settings).send_channel_events_messages) return;
  const topic = channel.topicsPolicy === "empty_topic_only" ? "" : eventsTopic;
  await sendNoticeIn(tx, ctx, { channel, topic, content, ...(readBy ? { readBy } : {}) });
}

/**
 * Posts a notice with creator and description in a new channel, after its first subscribers were
 * added.
 */
export async function tellCreated(tx: Tx, ctx: Context, channel: ChannelRow) {
  const content = `**${accessName(channel)}** channel created by ${namedInNotice(ctx)}. **Description:**`;
  await tellChannel(
    tx,
    ctx,
    channel,
    `${content}\n${quoteDescription(channel.description)}`,
    actorOf(ctx),
  );
}

/**
 * Posts a notice about new channels in the channel that the organization has chosen. Private
 * channels are left out, because not everybody there may know them.
 */
export async function announceNewChannels(tx: Tx, ctx: Context, channels: readonly ChannelRow[]) {
  const linksTo = channels.filter(({ inviteOnly }) => !inviteOnly);
  const { new_stream_announcements_stream_id: channelId } = parseRealmSettings(ctx.realm.settings);
  const channel = channelId > 0 ? await findChannel(tx, ctx.realm.id, channelId) : undefined;
  if (linksTo.length === 0 || !channel || channel.isArchived) return;
  const links = linksTo.map(({ name }) => `#**${name}**`);
  const created = links.length === 1 ? "a new channel" : "the following channels:";
  const content = `${namedInNotice(ctx)} created ${created} ${links.join(", ")}.`;
  const topic = channel.topicsPolicy === "empty_topic_only" ? "" : announcementsTopic;
  await sendNoticeIn(tx, ctx, { channel, topic, content, linksTo, readBy: actorOf(ctx) });
}
