import { desc, getTableColumns, type SQL, sql } from "drizzle-orm";
import { rawOf } from "../../db/take-rows";
import type { Tx } from "../../src/core/context";
import { write } from "../../src/core/write";
import type { World } from "./world";

/** Puts messages of alice's into `general` without sending each; answers their ids, ascending. */
export async function addManyMessages(
  { alice, channels, operator, realm }: World,
  count: number,
  sentAt = 0,
): Promise<number[]> {
  const row = {
    realmId: realm.id,
    senderId: alice.id,
    channelId: channels.general,
    sentChannelId: channels.general,
    topicKey: "t",
    content: "x",
    renderedContent: "<p>x</p>",
    client: "test",
    sentAt,
    placedAt: 0,
    conversationId: null,
    topic: "t",
    readBySender: false,
  };
  return write(operator, async (tx) => {
    const [first] = await tx.db.insert(tx.t.messages).values(row).returning();
    if (first === undefined) throw new Error("The message was not stored.");
    return [first.id, ...(await copy(tx, first.id, count - 1))];
  });
}

/** Stores copies of a message, which nobody is told of, with another text. */
export async function addCopies({ operator }: World, id: number, count: number, content: string) {
  await write(operator, (tx) => copy(tx, id, count, content));
}

/** Copies a message in one statement, because the values of thousands of rows take long to send. */
async function copy(tx: Tx, id: number, count: number, content?: string): Promise<number[]> {
  const { messages } = tx.t;
  const newestFirst = tx.db.select({ id: messages.id }).from(messages).orderBy(desc(messages.id));
  const [newest = { id }] = await newestFirst.limit(1);
  const last = newest.id + count;
  const others: Record<string, SQL> = {
    id: sql.raw(`${newest.id} + number`),
    ...(content === undefined
      ? {}
      : { content: sql`${content}`, rendered_content: sql`${`<p>${content}</p>`}` }),
  };
  const columns = Object.values(getTableColumns(messages)).map(
    ({ name }) => others[name] ?? sql.identifier(name),
  );
  await tx.db.insert(messages).select(
    sql`WITH RECURSIVE numbers (number) AS (
        SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${sql.raw(`${count}`)}
      ) SELECT ${sql.join(columns, sql`, `)} FROM numbers, ${messages}
      WHERE id = ${sql.raw(`${id}`)} AND number <= ${sql.raw(`${count}`)} ORDER BY number`,
  );
  // PostgreSQL numbers its rows without looking at what is there.
  if (tx.dialect === "postgres")
    await rawOf(tx).execute(
      sql`SELECT setval(pg_get_serial_sequence('messages', 'id'), ${last}::bigint)`,
    );
  return Array.from({ length: count }, (_, index) => newest.id + 1 + index);
}
