import { and, eq, sql } from "drizzle-orm";
import { loadReadableChannel } from "../../channels/queries";
import { readNewestIds } from "../../channels/subscribers";
import { namedTopic, topicKey } from "../../channels/topics/empty-topic";
import { inChunks } from "../../core/chunks";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, record, text } from "../../core/params";
import { listPeriods } from "../../core/reading-right/stored";
import { write } from "../../core/write";
import { withdrawPushes } from "../../devices/push/withdraw";
import { newestMessageId } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { filterReadable, readerOf } from "../../reading/queries";
import { directScope } from "../../reading/read-blocks";
import { findPlaced } from "../../reading/texts";
import { findReadableInTopic } from "../../reading/topic-messages";
import { findUnread } from "../../reading/unread/find-unread";
import type { UnreadPlace } from "../../reading/unread/unread-lines";
import { markRead } from "./change-read";
import { flagsAdded } from "./events";

export const MarkAllAsRead = record({});

/**
 * Marks everything that was delivered to the actor as read, in a few statements for any number of
 * messages. Announces `update_message_flags` for all to the actor's clients.
 */
export async function markAllAsRead(ctx: Context<Person>): Promise<{ complete: boolean }> {
  await write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    await readEverything(tx, realm.id, actor.user.id);
    await withdrawPushes(tx, realm.id, actor.user.id, "all");
    await tx.emit(
      { to: "users", ids: [actor.user.id] },
      flagsAdded({ operation: "add", flag: "read", messages: [], all: true }),
    );
  });
  return { complete: true };
}

/** Moves every watermark to the newest message, so that there are no exceptions. */
async function readEverything(tx: Tx, realmId: number, userId: number) {
  const { readWatermarks: marks, readBlocks: blocks } = tx.t;
  const { message: readUpTo } = await readNewestIds(tx, realmId);
  const periods = await listPeriods(tx, realmId, userId);
  const scopes = new Set([directScope, ...periods.map(({ channelId }) => channelId)]);
  await tx.db.delete(blocks).where(and(eq(blocks.realmId, realmId), eq(blocks.userId, userId)));
  for (const chunk of inChunks([...scopes])) {
    await tx.db
      .insert(marks)
      .values(chunk.map((scope) => ({ realmId, userId, scope, readUpTo })))
      .onConflictDoUpdate({
        target: [marks.realmId, marks.userId, marks.scope],
        set: { readUpTo: sql`excluded.read_up_to` },
      });
  }
}

export const MarkChannelAsRead = record({ streamId: id() });

/**
 * Marks the actor's unread messages in a channel as read. Announces `update_message_flags` to their
 * clients if there are any. Refuses a channel that they may not read like one that does not exist.
 */
export async function markChannelAsRead(
  ctx: Context<Person>,
  { streamId }: Input<typeof MarkChannelAsRead>,
): Promise<undefined> {
  const { channel } = await loadReadableChannel(ctx, ctx.reader, { id: streamId });
  await readAllOf(ctx, { kind: "channel", channelId: channel.id });
}

export const MarkTopicAsRead = record({ streamId: id(), topicName: text() });

/**
 * Marks the messages of one topic as read. Refuses a topic without messages that the actor may
 * read.
 */
export async function markTopicAsRead(
  ctx: Context<Person>,
  { streamId, topicName }: Input<typeof MarkTopicAsRead>,
): Promise<undefined> {
  const { channel } = await loadReadableChannel(ctx, ctx.reader, { id: streamId });
  const topic = namedTopic(topicName);
  if (!(await findReadableInTopic(ctx.reader, ctx.actor.user, channel, topic))) {
    throw badRequest(`There is no topic '${topicName}'.`);
  }
  await readAllOf(ctx, { kind: "topic", channelId: channel.id, topicKey: topicKey(topic) });
}

/** Number of messages that one write marks, so that other writes do not wait long. */
const messagesPerWrite = 5_000;

/**
 * Marks the actor's unread messages of a place as read, oldest first. Messages that arrive
 * meanwhile stay unread. Messages that were read, or that the actor may no longer read, are
 * skipped.
 */
async function readAllOf(ctx: Context<Person>, place: UnreadPlace) {
  const newest = await newestMessageId(ctx.reader, ctx.realm.id);
  for (let anchor = 0; anchor < newest; ) {
    const slice = { side: "after", anchor, count: messagesPerWrite } as const;
    const unread = (await findUnread(ctx.reader, readerOf(ctx), place, slice)) ?? [];
    const ids = unread.filter((id) => id <= newest);
    if (ids.length > 0) await write(ctx, (tx) => readBatch(tx, ctx, ids));
    anchor = ids.length < messagesPerWrite ? newest : (ids.at(-1) ?? newest);
  }
}

async function readBatch(tx: Tx, outer: Context<Person>, ids: number[]) {
  const ctx = await renewContext(tx, outer);
  const userId = ctx.actor.user.id;
  const placed = await findPlaced(tx, ctx.realm.id, ids);
  const messages = await filterReadable(tx, readerOf(ctx), placed);
  const changed = await markRead(tx, { realmId: ctx.realm.id, userId }, messages);
  if (changed.length === 0) return;
  const event = {
    operation: "add" as const,
    flag: "read",
    messages: changed.map((message) => message.id),
    all: false,
  };
  await tx.emit({ to: "users", ids: [userId] }, flagsAdded(event));
}
