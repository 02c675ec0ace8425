import { and, count, eq, gt, isNotNull, lte, notExists, sql } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { Finding, Progress } from "./check";
import { messagePages } from "./message-pages";

const whatToDo =
  "Restore a backup: chatd admin restore. Or write to chatd's developers, with the chatd version and this line.";

/**
 * Rows that name missing rows: a message's sender, channel or conversation, and the owner of a
 * file.
 */
export async function checkReferences(
  reader: Reader,
  realmId: number,
  progress: Progress,
): Promise<Finding[]> {
  const missing = { sender: 0, channel: 0, conversation: 0 };
  let checkedCount = 0;
  for await (const ids of messagePages(reader, realmId, Number.MAX_SAFE_INTEGER)) {
    const range = { from: ids[0] ?? 0, to: ids.at(-1) ?? 0 };
    missing.sender += await countMissing(reader, realmId, range, "sender");
    missing.channel += await countMissing(reader, realmId, range, "channel");
    missing.conversation += await countMissing(reader, realmId, range, "conversation");
    checkedCount += ids.length;
    progress("Messages", checkedCount);
  }
  return Object.entries(missing).flatMap(([what, number]): Finding[] =>
    number === 0
      ? []
      : [
          {
            part: "rows",
            what: `realm ${realmId}: ${number === 1 ? "1 message" : `${number} messages`} whose ${what} is missing`,
            whatToDo,
            isOfIndex: false,
          },
        ],
  );
}

type Named = "sender" | "channel" | "conversation";

async function countMissing(
  { db, t }: Reader,
  realmId: number,
  { from, to }: { from: number; to: number },
  what: Named,
): Promise<number> {
  const { messages: m, users, channels, conversations } = t;
  const [table, column] = {
    sender: [users, m.senderId] as const,
    channel: [channels, m.channelId] as const,
    conversation: [conversations, m.conversationId] as const,
  }[what];
  const named = db
    .select({ one: sql`1` })
    .from(table)
    .where(and(eq(table.realmId, realmId), eq(table.id, column)));
  const isOfPage = and(
    eq(m.realmId, realmId),
    gt(m.id, from - 1),
    lte(m.id, to),
    isNotNull(column),
  );
  const [row] = await db
    .select({ count: count() })
    .from(m)
    .where(and(isOfPage, notExists(named)));
  return row?.count ?? 0;
}
