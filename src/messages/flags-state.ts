import { and, desc, eq, inArray } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { listPeriods } from "../subscriptions/queries";
import type { MessageReader } from "./queries";
import { isRead, loadReadState, type ReadableMessage } from "./read-state";

type Periods = Awaited<ReturnType<typeof listPeriods>>;

/** Whether a message came to the user when it was sent: by subscription, or as a direct message. */
export function isReceived(periods: Periods, { id, sentChannelId }: Pick<ReadableMessage, "id" | "sentChannelId">): boolean {
  if (sentChannelId === null) return true;
  return periods.some(
    ({ channelId, fromMessage, toMessage }) =>
      channelId === sentChannelId && fromMessage < id && (toMessage === null || id <= toMessage),
  );
}

/** The flags of messages for one user. What never came to them counts as read, and as historical. */
export async function flagsOfMessages(
  reader: Reader,
  { realmId, userId }: MessageReader,
  messages: ReadableMessage[],
): Promise<Map<number, string[]>> {
  const state = await loadReadState(reader, realmId, userId, messages);
  const periods = await listPeriods(reader, realmId, userId);
  const { messageFlags } = reader.t;
  const ids = messages.map(({ id }) => id);
  const ofUser = and(eq(messageFlags.realmId, realmId), eq(messageFlags.userId, userId));
  const rows =
    ids.length === 0
      ? []
      : await reader.db
          .select({ messageId: messageFlags.messageId, flag: messageFlags.flag })
          .from(messageFlags)
          .where(and(ofUser, inArray(messageFlags.messageId, ids)));
  const stored = Map.groupBy(rows, ({ messageId }) => messageId);
  return new Map(
    messages.map((message) => {
      const others = (stored.get(message.id) ?? []).map(({ flag }) => flag);
      if (!isReceived(periods, message)) return [message.id, ["read", "historical", ...others]];
      return [message.id, isRead(state, message) ? ["read", ...others] : others];
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
