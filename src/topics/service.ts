import { and, desc, eq, inArray } from "drizzle-orm";
import { type ChannelRow, loadReadableChannel } from "../channels/queries";
import { noteFirstMessage } from "../channels/update";
import type { Audience } from "../core/audience";
import type { Context, Person, Tx } from "../core/context";
import { flag, type Input, id, optional, record, text } from "../core/params";
import { write } from "../core/write";
import { hasOpenHistory, listPeriods, placedWithin } from "../subscriptions/queries";
import { requireAdministrator } from "../users/permission";
import { renewContext } from "../users/renew-context";
import { namedTopic, shownTopic, topicKey } from "./empty-topic";
import { messageDeleted, messagesDeleted } from "./events";
import { findFirstMessageId, listTopics, listTopicsWithin } from "./queries";

export const ListTopics = record({ streamId: id(), allowEmptyTopicName: optional(flag()) });

type Topic = { name: string; max_id: number };

/**
 * The topics of a channel as far as the actor may read them, newest message first, each under its newest spelling.
 * Refuses a channel that they may not read like one that does not exist. Source: `api/api-surface.json`, get-stream-topics.
 */
export async function listReadableTopics(
  ctx: Context<Person>,
  input: Input<typeof ListTopics>,
): Promise<{ topics: Topic[] }> {
  const { reader, realm, actor } = ctx;
  const { channel } = await loadReadableChannel(ctx, reader, { id: input.streamId });
  const rows = hasOpenHistory(channel)
    ? await listTopics(reader, realm.id, channel.id)
    : await listTopicsWithin(reader, realm.id, channel.id, await periodsOf(ctx, reader, actor.user.id, channel.id));
  const knowsEmpty = input.allowEmptyTopicName ?? false;
  return { topics: rows.map(({ name, maxId }) => ({ name: shownTopic(name, knowsEmpty), max_id: maxId })) };
}

async function periodsOf({ realm }: Context, reader: Context["reader"], userId: number, channelId: number) {
  const periods = await listPeriods(reader, realm.id, userId);
  return periods.filter((period) => period.channelId === channelId);
}

export const DeleteTopic = record({ streamId: id(), topicName: text() });

const batchMessages = 100;
/** How long one request goes on: clients wait for an answer for a minute at the least. */
const requestMilliseconds = 45_000;

/**
 * Deletes all messages of a topic, newest first, a hundred in each write, with their reactions and flags. An administrator
 * deletes what they may read; the operator everything. Answers `complete: false` when time ran out: repeat it then.
 * Announces `delete_message` to the subscribers, and a `stream` update when the channel's oldest message was among them.
 * Refuses who is no administrator, and a channel that they may not read like one that does not exist.
 * Source: `spec/seed.md`, POST /streams/{stream_id}/delete_topic.
 */
export async function deleteTopic(ctx: Context, input: Input<typeof DeleteTopic>): Promise<{ complete: boolean }> {
  const { clock } = ctx.app;
  const endsAt = clock.nowMilliseconds() + requestMilliseconds;
  for (;;) {
    const deleted = await write(ctx, (tx) => deleteBatch(tx, ctx, input.streamId, namedTopic(input.topicName)));
    if (deleted < batchMessages) return { complete: true };
    if (clock.nowMilliseconds() >= endsAt) return { complete: false };
  }
}

/** Deletes the newest messages of a topic, at most a batch of them; answers how many. Rights are looked at each time. */
export async function deleteBatch(tx: Tx, outer: Context, channelId: number, topic: string): Promise<number> {
  const ctx = await renewContext(tx, outer);
  requireAdministrator(ctx.actor);
  const { channel } = await loadReadableChannel(ctx, tx, { id: channelId });
  const newest = await newestOfTopic(tx, ctx, channel, topic);
  const ids = newest.map((message) => message.id).reverse();
  if (ids.length === 0) return 0;
  await deleteMessages(tx, channel.realmId, ids);
  await announceDeleted(tx, channel, newest[0]?.topic ?? topic, ids);
  if (channel.firstMessageId !== null && ids.includes(channel.firstMessageId)) {
    await noteFirstMessage(tx, channel, await findFirstMessageId(tx, channel.realmId, channel.id));
  }
  return ids.length;
}

/** Those of the topic's messages that the actor may read, the newest of them first. */
async function newestOfTopic(tx: Tx, ctx: Context, channel: ChannelRow, topic: string) {
  const { messages } = tx.t;
  const { actor } = ctx;
  const isBound = "user" in actor && !hasOpenHistory(channel);
  const periods = isBound ? await periodsOf(ctx, tx, actor.user.id, channel.id) : [];
  return tx.db
    .select({ id: messages.id, topic: messages.topic })
    .from(messages)
    .where(
      and(
        eq(messages.realmId, channel.realmId),
        eq(messages.channelId, channel.id),
        eq(messages.topicKey, topicKey(topic)),
        isBound ? placedWithin(tx.t, periods) : undefined,
      ),
    )
    .orderBy(desc(messages.id))
    .limit(batchMessages);
}

async function deleteMessages(tx: Tx, realmId: number, ids: number[]) {
  const { messages, reactions, messageFlags } = tx.t;
  await tx.db.delete(reactions).where(and(eq(reactions.realmId, realmId), inArray(reactions.messageId, ids)));
  await tx.db.delete(messageFlags).where(and(eq(messageFlags.realmId, realmId), inArray(messageFlags.messageId, ids)));
  await tx.db.delete(messages).where(and(eq(messages.realmId, realmId), inArray(messages.id, ids)));
}

/** With protected history each message is announced by itself, to those who could read it. */
async function announceDeleted(tx: Tx, channel: ChannelRow, topic: string, ids: number[]) {
  const audience: Audience = { to: "subscribers", channelId: channel.id, isPrivate: channel.inviteOnly };
  const place = { message_type: "stream" as const, stream_id: channel.id, topic };
  const isOpen = hasOpenHistory(channel);
  if (isOpen) await tx.emit(audience, messagesDeleted({ message_ids: ids, ...place }));
  for (const id of ids) {
    const readers: Audience = isOpen ? audience : { ...audience, guardedPlace: id };
    if (!isOpen) await tx.emit(readers, messagesDeleted({ message_ids: [id], ...place }));
    await tx.emit(readers, messageDeleted({ message_id: id, ...place }));
  }
}
