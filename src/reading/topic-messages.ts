import { and, eq, ne } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { ChannelRow } from "../channels/queries";
import { hasOpenHistory, listPeriods, placedWithin } from "../channels/subscribers";
import { topicKey } from "../channels/topics/empty-topic";
import type { UserRow } from "../core/context";

/**
 * A message of a topic of a channel that somebody may read, as far as they may read it; undefined
 * where there is none, or none but `except`.
 */
export async function findReadableInTopic(
  reader: Reader,
  { id: userId }: Pick<UserRow, "id">,
  channel: ChannelRow,
  topic: string,
  except = 0,
): Promise<number | undefined> {
  const { messages } = reader.t;
  const periods = hasOpenHistory(channel)
    ? undefined
    : (await listPeriods(reader, channel.realmId, userId)).filter(
        ({ channelId }) => channelId === channel.id,
      );
  const isOfTopic = and(
    eq(messages.realmId, channel.realmId),
    eq(messages.channelId, channel.id),
    eq(messages.topicKey, topicKey(topic)),
    ne(messages.id, except),
    periods && placedWithin(reader.t, periods),
  );
  const [found] = await reader.db
    .select({ id: messages.id })
    .from(messages)
    .where(isOfTopic)
    .limit(1);
  return found?.id;
}
