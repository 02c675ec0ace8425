import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { isIn } from "../../db/sql/json";
import { historyTextsBytesMax } from "./edit-history";
import type { FullMessage } from "./wire";

/** Approximate number of bytes of a message in an answer, by its parts. */
export interface MessageSize {
  /** Its source, for clients that want Markdown. */
  content: number;
  /** Its HTML, for other clients and for searches. */
  rendered: number;
  /** Everything else, which every form has. */
  rest: number;
}

/** The bytes of all parts of a message. */
export const sizeInAll = ({ content, rendered, rest }: MessageSize): number =>
  content + rendered + rest;

/**
 * The bytes of a message without its texts, and those of a reaction, a submessage and a
 * participant.
 */
const frameBytes = 700;
const reactionBytes = 110;
const submessageBytes = 110;
const participantBytes = 100;

const bytesOf = (text: SQLWrapper) => sql`coalesce(octet_length(${text}), 0)`;

const selectSizes = statement((db, t, given: Given<{ realmId: number; ids: string }>, dialect) => {
  const { messages, messageEdits: edits, submessages, reactions } = t;
  const [inEdits, inSubmessages, inReactions] = [edits, submessages, reactions].map(
    (table) => and(eq(table.realmId, messages.realmId), eq(table.messageId, messages.id)) ?? sql``,
  );
  const editBytes = sql`(select coalesce(sum(${bytesOf(edits.prevContent)} + ${bytesOf(edits.prevRenderedContent)}), 0)
    from ${edits} where ${inEdits})`;
  const each = sql.raw(String(submessageBytes));
  const submessagesBytes = sql`(select coalesce(sum(${bytesOf(submessages.content)} + ${each}), 0)
    from ${submessages} where ${inSubmessages})`;
  const reactionsCount = sql`(select count(*) from ${reactions} where ${inReactions})`;
  const number = (value: SQL) => sql<number>`${value}`.mapWith(Number);
  return db
    .select({
      id: messages.id,
      content: number(bytesOf(messages.content)),
      rendered: number(bytesOf(messages.renderedContent)),
      edits: number(sql`case when ${messages.lastEditedAt} is null then 0 else ${editBytes} end`),
      // Only commands, which begin with a slash, have submessages.
      submessages: number(
        sql`case when substr(${messages.content}, 1, 1) = '/' then ${submessagesBytes} else 0 end`,
      ),
      reactions: number(reactionsCount),
    })
    .from(messages)
    .where(and(eq(messages.realmId, given.realmId), isIn(dialect, messages.id, given.ids)));
});

/** The sizes of some messages, by id, computed in the database without reading their texts. */
export async function storedSizes(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, MessageSize>> {
  const rows = await selectSizes(reader, { realmId, ids: JSON.stringify(ids) });
  return new Map(
    rows.map(({ id, content, rendered, edits, submessages, reactions }) => {
      const others =
        Math.min(edits, historyTextsBytesMax) + submessages + reactions * reactionBytes;
      return [id, { content, rendered, rest: frameBytes + others }];
    }),
  );
}

/** The size of a message in memory; its texts count by characters. */
export function sizeInMemory(message: FullMessage): MessageSize {
  const { content, renderedContent, edits, submessages, reactions, participants } = message;
  let rest = frameBytes + reactions.length * reactionBytes + participants.length * participantBytes;
  for (const { prevContent, prevRenderedContent } of edits) {
    rest += (prevContent?.length ?? 0) + (prevRenderedContent?.length ?? 0);
  }
  for (const one of submessages) rest += one.content.length + submessageBytes;
  return { content: content.length, rendered: renderedContent.length, rest };
}
