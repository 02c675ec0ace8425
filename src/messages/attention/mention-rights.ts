import { hasMoreSubscribers } from "../../channels/queries";
import type { Context, Tx } from "../../core/context";
import { ApiError, refusedFor } from "../../core/errors";
import type { Mentions } from "../../markdown/mentions";
import { requireMay } from "../../people/user-groups/may";
import { mayMention } from "../../people/user-groups/permission";
import { loadGroup } from "../../people/user-groups/queries";
import { manyMentioned } from "../../protocol/limits";
import { isAnybody } from "./attention";
import { listTopicParticipants } from "./topic-participants";

/** Place of the actor's message: a topic of a channel, or a direct conversation. */
interface WrittenPlace {
  channelId: number | null;
  topic: string;
}

/**
 * Refuses mentions that the actor may not make in a text for this place: of a group whose
 * permission they do not hold (BAD_REQUEST), and, above fifteen people, of all subscribers of a
 * channel or all participants of a topic (STREAM_WILDCARD_MENTION_NOT_ALLOWED,
 * TOPIC_WILDCARD_MENTION_NOT_ALLOWED). In the write, `ctx` is the renewed one. Needs no query
 * without mentions. Source: `test/recorded/api/errors.json`; recorded behaviour of the reference
 * server.
 */
export async function requireMayMention(
  tx: Tx,
  ctx: Context,
  place: WrittenPlace,
  mentions: Mentions,
): Promise<void> {
  if (!isAnybody(mentions)) return;
  for (const groupId of mentions.groups) await requireMayMentionGroup(tx, ctx, groupId);
  if (place.channelId === null) return;
  if (mentions.channelWildcard) await requireMayMentionChannel(tx, ctx, place.channelId);
  if (mentions.topicWildcard) await requireMayMentionTopic(tx, ctx, place.channelId, place.topic);
}

async function requireMayMentionGroup(tx: Tx, ctx: Context, groupId: number) {
  const group = await loadGroup(tx, ctx.realm.id, groupId);
  // A group that was deactivated after the text was rendered is mentioned silently.
  if (!group.isActive || (await mayMention(tx, ctx, group))) return;
  throw refusedFor(
    "mention-group",
    `You are not allowed to mention the user group '${group.name}'. Write @_*${group.name}* to name it without notifying anybody.`,
    group.name,
  );
}

async function requireMayMentionChannel(tx: Tx, ctx: Context, channelId: number) {
  if (!(await hasMoreSubscribers(tx, ctx.realm.id, channelId, manyMentioned))) return;
  await requireMay(tx, ctx, channelWildcardRefused, { realm: "can_mention_many_users_group" });
}

async function requireMayMentionTopic(tx: Tx, ctx: Context, channelId: number, topic: string) {
  const participants = await listTopicParticipants(tx, ctx.realm.id, channelId, topic);
  if (participants.size <= manyMentioned) return;
  await requireMay(tx, ctx, topicWildcardRefused, { realm: "can_mention_many_users_group" });
}

const channelWildcardRefused = () =>
  new ApiError(
    "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    "You do not have permission to mention everybody in a channel with this many subscribers.",
  );

const topicWildcardRefused = () =>
  new ApiError(
    "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
    "You do not have permission to mention everybody in a topic with this many participants.",
  );
