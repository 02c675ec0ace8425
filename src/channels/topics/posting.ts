import type { Reader } from "../../../db/reader";
import type { Context, Tx } from "../../core/context";
import { refusedFor } from "../../core/errors";
import { emptyTopicDisplayName } from "../../protocol/topics";
import { parseRealmSettings } from "../../realm/settings";
import { mayBeginTopics, maySendTo } from "../permissions";
import type { ChannelRow } from "../queries";
import { isTopicThere } from "./queries";

/**
 * Refuses (BAD_REQUEST) a message in a topic of a readable channel, if the actor may not send
 * there, if the channel's topics policy does not allow such a topic, or if the topic would be new
 * and the actor may not begin one. Source: `docs/protocol/specification.md`, topics_policy and
 * can_create_topic_group.
 */
export async function requireMayPost(tx: Tx, ctx: Context, channel: ChannelRow, topic: string) {
  await requireMaySendTo(tx, ctx, channel);
  requireTopicFits(ctx, channel, topic);
  await requireMayBegin(tx, ctx, channel, topic);
}

/** Refuses (BAD_REQUEST) an actor who may not send to a channel that they may read. */
export async function requireMaySendTo(reader: Reader, ctx: Context, channel: ChannelRow) {
  if (await maySendTo(reader, ctx, channel)) return;
  throw refusedFor(
    "channel-post",
    `You do not have permission to post in the channel '${channel.name}'.`,
    channel.name,
  );
}

/** Refuses a topic that the topics policy of a channel does not allow. */
export function requireTopicFits(ctx: Context, channel: ChannelRow, topic: string) {
  if (topic === "" && topicsPolicyOf(ctx, channel) === "disable_empty_topic") {
    throw refusedFor(
      "topic-required",
      `Topics are required in the channel '${channel.name}'.`,
      channel.name,
    );
  }
  if (topic !== "" && channel.topicsPolicy === "empty_topic_only") {
    throw refusedFor(
      "topicless",
      `The channel '${channel.name}' has no topic but '${emptyTopicDisplayName}', the empty one.`,
      channel.name,
    );
  }
}

const topicsPolicyOf = ({ realm }: Context, { topicsPolicy }: ChannelRow) =>
  topicsPolicy === "inherit" ? parseRealmSettings(realm.settings).topics_policy : topicsPolicy;

/** Refuses a new topic, if the actor may not begin topics in the channel. */
export async function requireMayBegin(tx: Tx, ctx: Context, channel: ChannelRow, topic: string) {
  if (await mayBeginTopics(tx, ctx, channel)) return;
  if (await isTopicThere(tx, channel.realmId, channel.id, topic)) return;
  throw refusedFor(
    "topic-begin",
    `You do not have permission to begin new topics in the channel '${channel.name}'.`,
    channel.name,
  );
}
