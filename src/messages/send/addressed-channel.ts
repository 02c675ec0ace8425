import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { type ChannelReference, type ChannelRow, channelKey } from "../../channels/queries";
import { topicKey } from "../../channels/topics/empty-topic";
import { cached } from "../../memory/cached";
import { isVisibleTopic, visibleTopic } from "./addressee";

/** A channel that somebody sends to, with facts about the sender and the topic. */
export type AddressedChannel = ChannelRow & {
  /** Whether the sender has muted it; null where they are not subscribed. */
  isMuted: boolean | null;
  /** Whether the topic has messages, readable or not. */
  hasMessages: boolean;
};

/**
 * All facts about its channel that a send needs, in one statement, because each further statement
 * would cost more than this one. It uses a subquery for each row, because joins take SQLite many
 * times as long.
 */
const selectAddressed = <Reference>(isIt: (t: Schema, given: Given<Reference>) => SQL) =>
  statement(
    (db, t, given: Given<{ realmId: number; userId: number; topicKey: string } & Reference>) => {
      const { channels } = t;
      // Column names are written out, because drizzle omits the table's name in a query on one
      // table.
      const isMuted = sql<
        boolean | null
      >`(select s.is_muted from ${t.subscriptions} s where s.realm_id = channels.realm_id
      and s.user_id = ${given.userId} and s.channel_id = channels.id
      and s.is_active = ${true})`.mapWith(Boolean);
      const hasMessages =
        sql<boolean>`exists (select 1 from ${t.messages} m where m.realm_id = channels.realm_id
      and m.channel_id = channels.id and m.topic_key = ${given.topicKey})`.mapWith(Boolean);
      return db
        .select({ ...getTableColumns(channels), isMuted, hasMessages })
        .from(channels)
        .where(and(eq(channels.realmId, given.realmId), isIt(t, given)));
    },
  );

const selectById = selectAddressed(({ channels }, given: Given<{ id: number }>) =>
  eq(channels.id, given.id),
);
const selectByName = selectAddressed(({ channels }, given: Given<{ nameKey: string }>) =>
  eq(channels.nameKey, given.nameKey),
);

/** Number of them that are cached for a realm: by sender, channel and topic. */
const variantsMax = 4_000;

interface Asked {
  userId: number;
  topicKey: string;
  reference: ChannelReference;
}

async function readAddressed(
  reader: Reader,
  realmId: number,
  variant: string,
): Promise<AddressedChannel | undefined> {
  const { userId, topicKey: key, reference }: Asked = JSON.parse(variant);
  const values = { realmId, userId, topicKey: key };
  const [addressed] =
    "id" in reference
      ? await selectById(reader, { ...values, id: reference.id })
      : await selectByName(reader, { ...values, nameKey: channelKey(reference.name) });
  return addressed;
}

/**
 * New messages do not invalidate the cache, so it keeps only topics that have messages: these stay
 * so.
 */
const addressedOf = cached(["channels", "subscriptions", "messages"], readAddressed, {
  variantsMax,
  isOneRead: true,
  isKept: (addressed) => addressed?.hasMessages ?? false,
});

/** The channel with that name or id and the sender's facts, without a check of rights. */
export function findAddressed(
  reader: Reader,
  { realmId, userId }: { realmId: number; userId: number },
  reference: ChannelReference,
  topic: string,
): Promise<AddressedChannel | undefined> {
  const asked: Asked = { userId, topicKey: topicKey(topic), reference };
  return addressedOf(reader, realmId, JSON.stringify(asked));
}

/**
 * The channel and the topic of a message. A topic that already has messages under exactly this name
 * is used unchanged, even with invisible characters. A new one loses them.
 */
export async function findPlace(
  tx: Reader,
  who: { realmId: number; userId: number },
  { channel, topic }: { channel: ChannelReference; topic: string },
): Promise<{ addressed: AddressedChannel | undefined; topic: string }> {
  const addressed = await findAddressed(tx, who, channel, topic);
  if (!addressed || addressed.hasMessages || isVisibleTopic(topic)) return { addressed, topic };
  const visible = visibleTopic(topic);
  return { addressed: await findAddressed(tx, who, channel, visible), topic: visible };
}
