import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { isIn } from "../../../db/sql/json";
import type { OfPerson } from "../../core/context";
import type { MessageRow } from "../queries";
import { isRead, loadReadState, type ReadableMessage } from "../read-state";

/** Facts about an unread message for clients. */
export type UnreadMessage = Pick<
  MessageRow,
  "id" | "channelId" | "conversationId" | "topic" | "placedAt" | "mentionsAllOf"
>;

const selectJudged = statement(
  (db, { messages: t }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select({
        id: t.id,
        senderId: t.senderId,
        channelId: t.channelId,
        sentChannelId: t.sentChannelId,
        readBySender: t.readBySender,
        conversationId: t.conversationId,
        topic: t.topic,
        placedAt: t.placedAt,
        mentionsAllOf: t.mentionsAllOf,
      })
      .from(t)
      .where(and(eq(t.realmId, given.realmId), isIn(dialect, t.id, given.ids))),
);

/**
 * Splits existing messages, given by id, into those that somebody has read and has not; each is
 * checked separately.
 */
export async function splitByReading(
  reader: Reader,
  { realmId, userId }: OfPerson,
  ids: readonly number[],
): Promise<{
  read: (UnreadMessage & ReadableMessage)[];
  unread: (UnreadMessage & ReadableMessage)[];
}> {
  if (ids.length === 0) return { read: [], unread: [] };
  const messages = await selectJudged(reader, { realmId, ids: JSON.stringify(ids) });
  const state = await loadReadState(reader, realmId, userId, messages);
  const { true: read = [], false: unread = [] } = Object.groupBy(messages, (message) =>
    isRead(state, message) ? "true" : "false",
  );
  return { read, unread };
}
