import { and, eq, ne } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { ChannelRow } from "../channels/queries";
import { topicKey } from "../channels/topics/empty-topic";
import type { UserRow } from "../core/context";
import { readableBy } from "../core/reading-right/stored";

/**
 * A message of a channel's topic that somebody may read; undefined where there is none, or only
 * `except`.
 */
export async function findReadableInTopic(
  reader: Reader,
  { id: userId }: Pick<UserRow, "id">,
  channel: ChannelRow,
  topic: string,
  except = 0,
): Promise<number | undefined> {
  const { messages } = reader.t;
  const isOfTopic = and(
    eq(messages.realmId, channel.realmId),
    eq(messages.channelId, channel.id),
    eq(messages.topicKey, topicKey(topic)),
    ne(messages.id, except),
    await readableBy(reader, userId, channel),
  );
  const [found] = await reader.db
    .select({ id: messages.id })
    .from(messages)
    .where(isOfTopic)
    .limit(1);
  return found?.id;
}
