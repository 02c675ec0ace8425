import { write } from "../../src/core/write";
import type { World } from "./world";

const rowsPerInsert = 1_000;

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
  const ids: number[] = [];
  while (ids.length < count) {
    const length = Math.min(rowsPerInsert, count - ids.length);
    const rows = await write(operator, ({ db, t }) =>
      db
        .insert(t.messages)
        .values(Array.from({ length }, () => row))
        .returning({ id: t.messages.id }),
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids.sort((a, b) => a - b);
}
