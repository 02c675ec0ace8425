import { type Static, Type } from "@sinclair/typebox";
import { and, desc, eq } from "drizzle-orm";
import { type ChannelRow, loadReadableChannel } from "../../channels/queries";
import { namedTopic, shownTopic, topicKey } from "../../channels/topics/empty-topic";
import { isTopicThere, listTopics, listTopicsWhere } from "../../channels/topics/queries";
import type { Placed } from "../../channels/user-topics/readers";
import { forgetTopicIn } from "../../channels/user-topics/set";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, type Input, id, optional, record, text } from "../../core/params";
import { placedAt } from "../../core/reading-right/sql";
import { readableBy } from "../../core/reading-right/stored";
import { requireAdministrator } from "../../core/rights/permission";
import { isUnbound } from "../../core/rights/role";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { removeFromTopicIn } from "../delete/remove";

export const ListTopics = record({ streamId: id(), allowEmptyTopicName: optional(flag()) });

export const TopicList = record({
  topics: Type.Array(
    Type.Object({
      name: Type.String(),
      max_id: Type.Integer({ description: "The newest message of the topic." }),
    }),
  ),
});

/**
 * The topics of a channel that the actor may read, by their newest message, each under its newest
 * spelling. Refuses a channel that they may not read like one that does not exist. Source:
 * `test/recorded/api/api-surface.json`, get-stream-topics.
 */
export async function listReadableTopics(
  ctx: Context<Person>,
  input: Input<typeof ListTopics>,
): Promise<Static<typeof TopicList>> {
  const { reader, realm, actor } = ctx;
  const { channel } = await loadReadableChannel(ctx, reader, { id: input.streamId });
  const isReadable = await readableBy(reader, actor.user.id, channel);
  const rows = isReadable
    ? await listTopicsWhere(reader, realm.id, channel.id, isReadable)
    : await listTopics(reader, realm.id, channel.id);
  const knowsEmpty = input.allowEmptyTopicName ?? false;
  return {
    topics: rows.map(({ name, maxId }) => ({ name: shownTopic(name, knowsEmpty), max_id: maxId })),
  };
}

/** Notes the deletion with its first messages, because the others follow in writes of their own. */
const auditDeletion = (tx: Tx, ctx: Context, { streamId, topicName }: Input<typeof DeleteTopic>) =>
  tx.audit(ctx, {
    action: "topic.delete",
    kind: "channel",
    ids: [streamId],
    before: { topic: namedTopic(topicName) },
  });

export const DeleteTopic = record({ streamId: id(), topicName: text() });

const batchMessages = 100;
/** Time limit of one request, because clients wait at least a minute for an answer. */
const requestMilliseconds = 45_000;

/**
 * Deletes all messages of a topic, newest first, a hundred in each write, with their reactions and
 * flags. An administrator deletes the messages that they may read; the operator deletes all.
 * Answers `complete: false` when the time limit was reached: then the client repeats the request.
 * Announces the events of `removeFromTopicIn`, and `user_topic` to people with a policy for the
 * topic when it is gone. Refuses everybody but administrators and the operator, a channel that the
 * actor may not read like one that does not exist, and an archived channel to all but the operator.
 * Source: `docs/protocol/specification.md`, POST /streams/{stream_id}/delete_topic.
 */
export async function deleteTopic(
  ctx: Context,
  input: Input<typeof DeleteTopic>,
): Promise<{ complete: boolean }> {
  const { clock } = ctx.app;
  const endsAt = clock.nowMilliseconds() + requestMilliseconds;
  const topic = namedTopic(input.topicName);
  for (let newest: readonly Placed[] = []; ; ) {
    const deleted = await write(ctx, async (tx) => {
      const batch = await deleteBatch(tx, ctx, { channelId: input.streamId, topic, newest });
      if (newest.length === 0 && batch.length > 0) auditDeletion(tx, ctx, input);
      return batch;
    });
    if (deleted.length < batchMessages) return { complete: true };
    if (newest.length === 0) newest = deleted.slice(0, 1);
    if (clock.nowMilliseconds() >= endsAt) return { complete: false };
  }
}

/**
 * Refuses a topic without messages, and a channel that the actor may not read like one that does
 * not exist.
 */
export async function requireTopic(ctx: Context, input: Input<typeof DeleteTopic>) {
  const { channel } = await loadReadableChannel(ctx, ctx.reader, { id: input.streamId });
  if (await isTopicThere(ctx.reader, ctx.realm.id, channel.id, namedTopic(input.topicName))) return;
  throw badRequest(`There is no topic '${input.topicName}' in the channel '${channel.name}'.`);
}

/**
 * Deletes the newest messages of a topic, at most a batch of them, and answers them. `newest` is
 * the first message that was deleted before, because people who came to the channel late may read
 * that one alone. Rights are checked each time.
 */
async function deleteBatch(
  tx: Tx,
  outer: Context,
  { channelId, topic, newest }: { channelId: number; topic: string; newest: readonly Placed[] },
): Promise<readonly Placed[]> {
  const ctx = await renewContext(tx, outer);
  requireAdministrator(ctx.actor);
  const { channel } = await loadReadableChannel(ctx, tx, { id: channelId });
  if (channel.isArchived && !isUnbound(ctx.actor))
    throw badRequest(`The channel '${channel.name}' is archived.`);
  const batch = await newestOfTopic(tx, ctx, channel, topic);
  const [first] = batch;
  if (!first) return batch;
  await removeFromTopicIn(tx, ctx, channel, first.topic, batch);
  if (!(await isTopicThere(tx, channel.realmId, channel.id, topic))) {
    await forgetTopicIn(tx, channel, topic, [...newest, ...batch]);
  }
  return batch;
}

/** Messages of the topic that the actor may read, the newest first. */
async function newestOfTopic(tx: Tx, ctx: Context, channel: ChannelRow, topic: string) {
  const { messages } = tx.t;
  const { actor } = ctx;
  const userId = "user" in actor ? actor.user.id : undefined;
  return tx.db
    .select({ id: messages.id, placedAt: placedAt(tx.t), topic: messages.topic })
    .from(messages)
    .where(
      and(
        eq(messages.realmId, channel.realmId),
        eq(messages.channelId, channel.id),
        eq(messages.topicKey, topicKey(topic)),
        await readableBy(tx, userId, channel),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(batchMessages);
}
