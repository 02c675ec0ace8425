import { and, asc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { isIn, isRowOf } from "../../db/sql/json";
import { findChannel } from "../channels/queries";
import type { Context, Person } from "../core/context";
import { invalidMessage } from "../core/errors";
import { mayReadMessage } from "../core/reading-right/predicate";
import { placedAt } from "../core/reading-right/sql";
import { listPeriods } from "../core/reading-right/stored";
import type { FullMessage, MessageParts } from "./wire";

/** Reader of messages. */
export interface MessageReader {
  realmId: number;
  userId: number;
  role: number;
}

/** The columns of a `MessageRow`. */
export const messageColumns = (t: Reader["t"]) => ({
  id: t.messages.id,
  senderId: t.messages.senderId,
  channelId: t.messages.channelId,
  sentChannelId: t.messages.sentChannelId,
  placedAt: placedAt(t),
  conversationId: t.messages.conversationId,
  topic: t.messages.topic,
  content: t.messages.content,
  renderedContent: t.messages.renderedContent,
  client: t.messages.client,
  sentAt: t.messages.sentAt,
  readBySender: t.messages.readBySender,
  mentionsAllOf: t.messages.mentionsAllOf,
  lastEditedAt: t.messages.lastEditedAt,
  lastMovedAt: t.messages.lastMovedAt,
});

export type MessageRow = Omit<FullMessage, keyof MessageParts>;

/** Facts that decide who may read a message, and whether somebody has read it. */
export type PlacedMessage = Pick<
  MessageRow,
  | ("id" | "senderId" | "channelId" | "sentChannelId" | "placedAt")
  | ("conversationId" | "topic" | "readBySender" | "mentionsAllOf")
>;

const selectMessage = statement((db, t, given: Given<{ realmId: number; id: number }>) =>
  db
    .select(messageColumns(t))
    .from(t.messages)
    .where(and(eq(t.messages.realmId, given.realmId), eq(t.messages.id, given.id))),
);

const selectConversationsOf = statement(
  (
    db,
    { conversationMembers: members },
    given: Given<{ realmId: number; userId: number; ids: string }>,
    dialect,
  ) =>
    db
      .select({ id: members.conversationId })
      .from(members)
      .where(
        and(
          eq(members.realmId, given.realmId),
          eq(members.userId, given.userId),
          isIn(dialect, members.conversationId, given.ids),
        ),
      ),
);

/** The conversations among these that somebody is in. */
async function ownAmong(
  reader: Reader,
  { realmId, userId }: MessageReader,
  conversationIds: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  if (conversationIds.size === 0) return conversationIds;
  const ids = JSON.stringify([...conversationIds]);
  const rows = await selectConversationsOf(reader, { realmId, userId, ids });
  return new Set(rows.map(({ id }) => id));
}

/** The condition that a column contains one of these numbers, of which there may be any number. */
export const isAmong = ({ dialect }: Reader, column: SQLWrapper, ids: readonly number[]): SQL =>
  ids.length === 0 ? sql`1 = 0` : isIn(dialect, column, sql`${JSON.stringify(ids)}`);

const selectMessages = statement((db, t, given: Given<{ realmId: number; ids: string }>, dialect) =>
  db
    .select(messageColumns(t))
    .from(t.messages)
    .where(and(eq(t.messages.realmId, given.realmId), isIn(dialect, t.messages.id, given.ids)))
    .orderBy(asc(t.messages.id)),
);

/** Messages by id, oldest first, without a check of rights. */
export async function findMessages(
  reader: Reader,
  realmId: number,
  ids: number[],
): Promise<MessageRow[]> {
  return ids.length === 0 ? [] : selectMessages(reader, { realmId, ids: JSON.stringify(ids) });
}

const selectPlaces = statement((db, t, given: Given<{ realmId: number; ids: string }>, dialect) => {
  const {
    id,
    senderId,
    channelId,
    sentChannelId,
    conversationId,
    topic,
    readBySender,
    mentionsAllOf,
  } = t.messages;
  const columns = {
    id,
    senderId,
    channelId,
    sentChannelId,
    conversationId,
    topic,
    readBySender,
    mentionsAllOf,
  };
  return db
    .select({ ...columns, placedAt: placedAt(t) })
    .from(t.messages)
    .where(and(eq(t.messages.realmId, given.realmId), isIn(dialect, id, given.ids)))
    .orderBy(asc(id));
});

/** Places of messages, by id, oldest first, without their texts. */
export async function findPlaces(
  reader: Reader,
  realmId: number,
  ids: number[],
): Promise<PlacedMessage[]> {
  return ids.length === 0 ? [] : selectPlaces(reader, { realmId, ids: JSON.stringify(ids) });
}

/** Messages among these that somebody may read now. */
export async function filterReadable<
  Row extends Pick<MessageRow, "channelId" | "conversationId" | "placedAt">,
>(reader: Reader, who: MessageReader, rows: Row[]): Promise<Row[]> {
  const periods = await listPeriods(reader, who.realmId, who.userId);
  const channels = new Map<number, Awaited<ReturnType<typeof findChannel>>>();
  const conversationIds = new Set<number>();
  for (const { channelId, conversationId } of rows) {
    if (conversationId !== null) conversationIds.add(conversationId);
    if (channelId !== null && !channels.has(channelId))
      channels.set(channelId, await findChannel(reader, who.realmId, channelId));
  }
  const ownConversationIds = await ownAmong(reader, who, conversationIds);
  return rows.filter((row) => {
    if (row.channelId === null) return ownConversationIds.has(row.conversationId ?? 0);
    const channel = channels.get(row.channelId);
    return channel !== undefined && mayReadMessage(channel, periods, who.role, row);
  });
}

/** The actor as a reader of messages. */
export const readerOf = ({ realm, actor }: Context<Person>): MessageReader => ({
  realmId: realm.id,
  userId: actor.user.id,
  role: actor.user.role,
});

/**
 * A message that the actor may read; undefined for a missing one and for one that they may not
 * read.
 */
export async function findReadableMessage(
  reader: Reader,
  ctx: Context<Person>,
  id: number,
): Promise<MessageRow | undefined> {
  const rows = await selectMessage(reader, { realmId: ctx.realm.id, id });
  const [message] = await filterReadable(reader, readerOf(ctx), rows);
  return message;
}

/**
 * A message that the actor may read; refuses a missing one and one that they may not read alike.
 */
export async function loadReadableMessage(
  reader: Reader,
  ctx: Context<Person>,
  id: number,
): Promise<MessageRow> {
  const message = await findReadableMessage(reader, ctx, id);
  if (!message) throw invalidMessage();
  return message;
}

const selectParticipants = statement(
  (db, { conversations }, given: Given<{ realmId: number; conversationId: number }>) =>
    db
      .select({ userIds: conversations.userIds })
      .from(conversations)
      .where(
        and(eq(conversations.realmId, given.realmId), eq(conversations.id, given.conversationId)),
      ),
);

/** The ids of everyone in a direct conversation, ascending. */
export async function participantIds(
  reader: Reader,
  realmId: number,
  conversationId: number,
): Promise<number[]> {
  const [row] = await selectParticipants(reader, { realmId, conversationId });
  return parseUserIds(row?.userIds ?? "");
}

export const parseUserIds = (joined: string): number[] =>
  joined === "" ? [] : joined.split(",").map(Number);

const selectConversations = statement(
  (db, t, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select({ id: t.conversations.id, userIds: t.conversations.userIds })
      .from(t.conversations)
      .where(isRowOf(dialect, t.conversations, given.realmId, given.ids)),
);

/** The participants of conversations, by conversation id. */
export async function participantsOf(
  reader: Reader,
  realmId: number,
  conversationIds: number[],
): Promise<Map<number, number[]>> {
  if (conversationIds.length === 0) return new Map();
  const rows = await selectConversations(reader, { realmId, ids: JSON.stringify(conversationIds) });
  return new Map(rows.map(({ id, userIds }) => [id, parseUserIds(userIds)]));
}

/** The distinct ids without null. */
export const distinct = (ids: (number | null)[]) => [...new Set(ids)].filter((id) => id !== null);
