import { type Static, Type } from "@sinclair/typebox";
import { and, asc, eq, gt, lte } from "drizzle-orm";
import { findChannel } from "../../channels/queries";
import { topicKey } from "../../channels/topics/empty-topic";
import { isTopicThere } from "../../channels/topics/queries";
import { forgetTopicIn } from "../../channels/user-topics/set";
import type { Context, Tx } from "../../core/context";
import { placedAt } from "../../core/reading-right/sql";
import { defineJob } from "../../jobs/define";
import { participantIds } from "../../reading/queries";
import { removeDirectIn, removeFromTopicIn } from "./remove";

/** Number of messages that one write checks. */
const messagesPerWrite = 100;

const SentBy = Type.Object({
  userId: Type.Integer(),
  /**
   * Kinds of messages to delete: in channels that are not private, in private ones, and direct
   * messages.
   */
  isPublicWanted: Type.Boolean(),
  isPrivateWanted: Type.Boolean(),
  isDirectWanted: Type.Boolean(),
  /** The last message that was checked. */
  after: Type.Integer(),
  /**
   * The newest message when the person left, because messages that they write after a reactivation
   * stay. Absent in jobs of older versions.
   */
  upTo: Type.Optional(Type.Integer()),
});

type SentBy = Static<typeof SentBy>;

/**
 * Deletes the messages that somebody had sent when they left, some at a time, wherever they are by
 * then. Announces the events of `removeFromTopicIn` and `removeDirectIn`, and `user_topic` to
 * people with a policy for a topic that is gone.
 */
export const deleteSentJob = defineJob(
  "delete_sent",
  SentBy,
  async (_ctx, payload) => async (tx, ctx) => {
    const part = await nextSent(tx, ctx.realm.id, payload);
    const last = part.at(-1);
    if (!last) return undefined;
    for (const [channelId, inChannel] of Map.groupBy(part, (message) => message.channelId)) {
      if (channelId !== null) await deleteInChannel(tx, ctx, channelId, inChannel, payload);
      else if (payload.isDirectWanted) await deleteDirect(tx, ctx, inChannel);
    }
    return { payload: { ...payload, after: last.id }, at: tx.now };
  },
);

type Sent = Awaited<ReturnType<typeof nextSent>>[number];

async function nextSent({ db, t }: Tx, realmId: number, { userId, after, upTo }: SentBy) {
  const { messages } = t;
  const { id, topic, channelId, conversationId } = messages;
  return db
    .select({ id, topic, channelId, conversationId, placedAt: placedAt(t) })
    .from(messages)
    .where(
      and(
        eq(messages.realmId, realmId),
        eq(messages.senderId, userId),
        gt(messages.id, after),
        upTo === undefined ? undefined : lte(messages.id, upTo),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(messagesPerWrite);
}

async function deleteInChannel(
  tx: Tx,
  ctx: Context,
  channelId: number,
  sent: readonly Sent[],
  wanted: SentBy,
) {
  const realmId = ctx.realm.id;
  for (const [, ofTopic] of Map.groupBy(sent, ({ topic }) => topicKey(topic))) {
    const topic = ofTopic.at(-1)?.topic ?? "";
    // Read again after each topic, because the channel's first message may have changed.
    const channel = await findChannel(tx, realmId, channelId);
    if (!channel || !(channel.inviteOnly ? wanted.isPrivateWanted : wanted.isPublicWanted)) return;
    await removeFromTopicIn(tx, ctx, channel, topic, ofTopic);
    if (!(await isTopicThere(tx, realmId, channelId, topic)))
      await forgetTopicIn(tx, channel, topic, ofTopic);
  }
}

async function deleteDirect(tx: Tx, { realm }: Context, sent: readonly Sent[]) {
  for (const [conversationId, ofThese] of Map.groupBy(
    sent,
    (message) => message.conversationId ?? 0,
  )) {
    const people = await participantIds(tx, realm.id, conversationId);
    await removeDirectIn(
      tx,
      realm.id,
      ofThese.map(({ id }) => id),
      people,
    );
  }
}
