import { and, desc, eq } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { isAmong, type MessageReader } from "./queries";
import { isRead, isReceived, loadReadState, type ReadableMessage } from "./read-state";

/** The flags of messages for one user. What never came to them is historical. */
export async function flagsOfMessages(
  reader: Reader,
  { realmId, userId }: MessageReader,
  messages: ReadableMessage[],
): Promise<Map<number, string[]>> {
  const state = await loadReadState(reader, realmId, userId, messages);
  const { messageFlags } = reader.t;
  const ids = messages.map(({ id }) => id);
  const ofUser = and(eq(messageFlags.realmId, realmId), eq(messageFlags.userId, userId));
  const rows =
    ids.length === 0
      ? []
      : await reader.db
          .select({ messageId: messageFlags.messageId, flag: messageFlags.flag })
          .from(messageFlags)
          .where(and(ofUser, isAmong(reader, messageFlags.messageId, ids)));
  const stored = Map.groupBy(rows, ({ messageId }) => messageId);
  return new Map(
    messages.map((message) => {
      const read = isRead(state, message) ? ["read"] : [];
      const historical = isReceived(state, message) ? [] : ["historical"];
      const others = (stored.get(message.id) ?? []).map(({ flag }) => flag);
      return [message.id, [...read, ...historical, ...others]];
    }),
  );
}

const flaggedMax = 10_000;

/** The messages on which a user has set a flag, newest first. */
export async function listFlagged(reader: Reader, realmId: number, userId: number, flag: string): Promise<number[]> {
  const { messageFlags } = reader.t;
  const rows = await reader.db
    .select({ id: messageFlags.messageId })
    .from(messageFlags)
    .where(and(eq(messageFlags.realmId, realmId), eq(messageFlags.userId, userId), eq(messageFlags.flag, flag)))
    .orderBy(desc(messageFlags.messageId))
    .limit(flaggedMax);
  return rows.map(({ id }) => id);
}
