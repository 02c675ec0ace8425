import { and, asc, eq, gt } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { type ChannelRow, findChannel, listChannels } from "../../channels/queries";
import { topicKey } from "../../channels/topics/empty-topic";
import { isTopicThere } from "../../channels/topics/queries";
import { forgetTopicIn } from "../../channels/user-topics/set";
import { inChunks } from "../../core/chunks";
import { daySeconds } from "../../core/clock";
import type { App, Context, RealmRow, Tx } from "../../core/context";
import { tellFailure } from "../../core/log";
import { operatorContext } from "../../core/operator";
import { placedAt } from "../../core/reading-right/sql";
import { makePace, turn } from "../../core/turns/turn";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { isAmong, participantsOf } from "../../reading/queries";
import { listRealms } from "../../realm/queries";
import { parseRealmSettings } from "../../realm/settings";
import { removeDirectIn, removeFromTopicIn } from "./remove";

/*
 * Deletes messages that are older than their channel, or else their organization, keeps them;
 * direct messages by the organization's limit. Several nodes may do it at once, because messages
 * are chosen in the write that deletes them. It begins with the oldest message, by id, and ends at
 * the first part without an expired one.
 */

/**
 * Number of messages that one write deletes, so that other writes wait no longer than for a large
 * message.
 */
const messagesPerWrite = 100;
const messagesPerPage = 1_000;
/** Number of channels that are looked at before others have their turn. */
const channelsPerTurn = 20;
const intervalSeconds = 3_600;

/**
 * Makes a function that deletes expired messages, at most once an hour however often it is called,
 * until `isEnding`.
 */
export function makeRetention(app: App, isEnding: () => boolean): () => Promise<void> {
  let dueAt = 0;
  /** By realm and its number of days, the message up to which all direct messages are deleted. */
  const directFrom = new Map<string, number>();
  return async () => {
    if (app.clock.now() < dueAt) return;
    dueAt = app.clock.now() + intervalSeconds;
    for (const realm of await listRealms(app.engine.reader)) {
      if (isEnding()) return;
      if (!realm.isActive) continue;
      await deleteExpired({ app, realm, directFrom, isEnding }).catch((error: unknown) =>
        tellFailure(app.log.error, "retention_failed", error, { realmId: realm.id }),
      );
    }
  };
}

interface Round {
  app: App;
  realm: RealmRow;
  directFrom: Map<string, number>;
  isEnding: () => boolean;
}

async function deleteExpired({ app, realm, directFrom, isEnding }: Round) {
  const ctx: Context = {
    ...operatorContext(app, realm),
    actor: { kind: "job", name: "retention" },
    client: "Internal",
  };
  const pace = makePace(channelsPerTurn);
  for (const channel of await listChannels(app.engine.reader, realm.id)) {
    if (isEnding()) return;
    if (daysKept(realm, channel) === undefined) continue;
    await pace(1);
    let left = (await expiredInChannel(app.engine.reader, ctx, channel)).length;
    while (left > 0 && !isEnding()) {
      left = await write(ctx, (tx) => deleteInChannel(tx, ctx, channel.id));
      await turn();
    }
  }
  const key = `${realm.id} ${daysKept(realm, undefined)}`;
  let from: number | undefined = directFrom.get(key) ?? 0;
  while (from !== undefined && !isEnding()) {
    directFrom.set(key, from);
    from = await deleteDirectAfter(ctx, from);
    await turn();
  }
}

/** Number of days that the messages of a channel, or direct ones, are kept; undefined for ever. */
function daysKept({ settings }: RealmRow, channel: ChannelRow | undefined): number | undefined {
  const days = channel?.messageRetentionDays ?? parseRealmSettings(settings).message_retention_days;
  return days > 0 ? days : undefined;
}

/** Time before which messages are expired. */
const expiryOf = ({ realm, now }: Context, channel: ChannelRow | undefined): number => {
  const days = daysKept(realm, channel);
  return days === undefined ? -1 : now - days * daySeconds;
};

const selectOldest = statement((db, t, given: Given<{ realmId: number; channelId: number }>) =>
  db
    .select({
      id: t.messages.id,
      placedAt: placedAt(t),
      topic: t.messages.topic,
      sentAt: t.messages.sentAt,
    })
    .from(t.messages)
    .where(and(eq(t.messages.realmId, given.realmId), eq(t.messages.channelId, given.channelId)))
    .orderBy(asc(t.messages.id))
    .limit(messagesPerWrite),
);

/** The expired messages among the oldest of a channel. */
async function expiredInChannel(reader: Reader, ctx: Context, channel: ChannelRow) {
  const oldest = await selectOldest(reader, { realmId: channel.realmId, channelId: channel.id });
  const expiry = expiryOf(ctx, channel);
  return oldest.filter(({ sentAt }) => sentAt <= expiry);
}

const selectAfter = statement((db, { messages }, given: Given<{ realmId: number; id: number }>) =>
  db
    .select({ id: messages.id, conversationId: messages.conversationId, sentAt: messages.sentAt })
    .from(messages)
    .where(and(eq(messages.realmId, given.realmId), gt(messages.id, given.id)))
    .orderBy(asc(messages.id))
    .limit(messagesPerPage),
);

/**
 * Deletes some of the expired messages of a channel and answers how many. Announces the events of
 * `removeFromTopicIn`, and `user_topic` to people with a policy for a topic that is gone.
 */
async function deleteInChannel(tx: Tx, outer: Context, channelId: number): Promise<number> {
  const ctx = await renewContext(tx, outer);
  const channel = await findChannel(tx, ctx.realm.id, channelId);
  if (!channel) return 0;
  const expired = await expiredInChannel(tx, ctx, channel);
  for (const [, ofTopic] of Map.groupBy(expired, ({ topic }) => topicKey(topic))) {
    const topic = ofTopic.at(-1)?.topic ?? "";
    // Read again after each topic, because the channel's first message may have changed.
    const current = (await findChannel(tx, ctx.realm.id, channelId)) ?? channel;
    await removeFromTopicIn(tx, ctx, current, topic, ofTopic);
    if (await isTopicThere(tx, ctx.realm.id, channelId, topic)) continue;
    await forgetTopicIn(tx, current, topic, ofTopic);
  }
  return expired.length;
}

/**
 * Deletes the expired direct messages of the page after a message. Answers the end of the page;
 * undefined when no later message can be expired, or when the organization's limit has changed
 * meanwhile.
 */
async function deleteDirectAfter(ctx: Context, from: number): Promise<number | undefined> {
  const { reader, realm } = ctx;
  if (daysKept(realm, undefined) === undefined) return undefined;
  const page = await selectAfter(reader, { realmId: realm.id, id: from });
  const expiry = expiryOf(ctx, undefined);
  const expired = page
    .filter(({ conversationId, sentAt }) => conversationId !== null && sentAt <= expiry)
    .map(({ id }) => id);
  for (const ids of inChunks(expired, messagesPerWrite)) {
    if (!(await write(ctx, (tx) => deleteDirect(tx, ctx, ids)))) return undefined;
    await turn();
  }
  const last = page.at(-1);
  return last && last.sentAt <= expiry ? last.id : undefined;
}

/**
 * Deletes some expired direct messages that still exist; answers whether they are still expired.
 */
async function deleteDirect(tx: Tx, outer: Context, ids: readonly number[]): Promise<boolean> {
  const ctx = await renewContext(tx, outer);
  if (daysKept(ctx.realm, undefined) !== daysKept(outer.realm, undefined)) return false;
  const { messages } = tx.t;
  const rows = await tx.db
    .select({ id: messages.id, conversationId: messages.conversationId })
    .from(messages)
    .where(and(eq(messages.realmId, ctx.realm.id), isAmong(tx, messages.id, ids)))
    .orderBy(asc(messages.id));
  const byConversation = Map.groupBy(rows, ({ conversationId }) => conversationId ?? 0);
  const participants = await participantsOf(tx, ctx.realm.id, [...byConversation.keys()]);
  for (const [conversationId, ofConversation] of byConversation) {
    const people = participants.get(conversationId) ?? [];
    await removeDirectIn(
      tx,
      ctx.realm.id,
      ofConversation.map(({ id }) => id),
      people,
    );
  }
  return true;
}
