import { and, eq, gt, inArray, isNotNull, lte } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { subscribersByChannel, subscribersWanting } from "../../channels/subscribers";
import { selectFollowers } from "../../channels/user-topics/queries";
import { participantsOf } from "../../reading/queries";

/** The first of the checked messages that somebody may want a mail about, and its time. */
interface Concern {
  messageId: number;
  sentAt: number;
}

/** Number of messages that are checked at a time. */
const messagesMax = 2_000;

const selectNew = statement(
  (db, { messages: m }, given: Given<{ realmId: number; after: number }>) =>
    db
      .select({
        id: m.id,
        sentAt: m.sentAt,
        senderId: m.senderId,
        channelId: m.channelId,
        conversationId: m.conversationId,
        topicKey: m.topicKey,
        mentionsAllOf: m.mentionsAllOf,
      })
      .from(m)
      .where(and(eq(m.realmId, given.realmId), gt(m.id, given.after)))
      .orderBy(m.id)
      .limit(messagesMax),
);

type NewMessage = Awaited<ReturnType<typeof selectNew>>[number];

const selectMentioned = statement(
  (db, { messageFlags: f }, given: Given<{ realmId: number; after: number; upTo: number }>) =>
    db
      .select({ userId: f.userId, messageId: f.messageId })
      .from(f)
      .where(
        and(
          eq(f.realmId, given.realmId),
          gt(f.messageId, given.after),
          lte(f.messageId, given.upTo),
          inArray(f.flag, ["mentioned", "topic_wildcard_mentioned"]),
        ),
      ),
);

const selectToAll = statement(
  (db, { messages: m }, given: Given<{ realmId: number; after: number; upTo: number }>) =>
    db
      .select({ messageId: m.id, channelId: m.channelId })
      .from(m)
      .where(
        and(
          eq(m.realmId, given.realmId),
          gt(m.id, given.after),
          lte(m.id, given.upTo),
          isNotNull(m.mentionsAllOf),
        ),
      ),
);

const selectWanting = subscribersWanting("emailNotifications");

type Mention = Awaited<ReturnType<typeof selectMentioned>>[number];

/** People whom the messages after `after` may concern, and the last checked message. */
export interface News {
  upTo: number;
  /** Whether there are more messages to check. */
  isMore: boolean;
  concerns: Map<number, Concern>;
  /**
   * Adds people whom edits of the checked messages have mentioned meanwhile, and answers them. It
   * is called in the write that ends the check. An edit after that write enqueues its mails itself
   * (`noteMailOfMentions`), so nobody is left out.
   */
  addMentionedSince(tx: Reader): Promise<ReadonlySet<number>>;
}

/**
 * People whom a realm's new messages may concern: recipients of direct messages, people who are
 * mentioned or follow the topic, and people who want mails about all messages in a channel;
 * `wantAll` want that for every channel. The work grows with the new messages, their recipients,
 * topics and channels, but not with the number of people or old messages.
 */
export async function checkNew(
  reader: Reader,
  realmId: number,
  after: number,
  wantAll: ReadonlySet<number>,
): Promise<News> {
  const messages = await selectNew(reader, { realmId, after });
  const upTo = messages.at(-1)?.id ?? after;
  const isMore = messages.length === messagesMax;
  const concerns = new Map<number, Concern>();
  const add = ({ id, sentAt, senderId }: NewMessage, userIds: Iterable<number>) => {
    for (const userId of userIds) {
      const earlier = concerns.get(userId);
      if (userId !== senderId && !(earlier && earlier.messageId <= id))
        concerns.set(userId, { messageId: id, sentAt });
    }
  };
  if (messages.length === 0)
    return { upTo, isMore, concerns, addMentionedSince: async () => new Set() };
  const byId = new Map(messages.map((message) => [message.id, message]));
  const addMentions = (mentions: readonly Mention[]) => {
    for (const { userId, messageId } of mentions) {
      const message = byId.get(messageId);
      if (message) add(message, [userId]);
    }
  };
  const mentions = await selectMentioned(reader, { realmId, after, upTo });
  addMentions(mentions);
  await addDirect(reader, realmId, messages, add);
  await addInChannels(reader, realmId, messages, wantAll, add);
  const addMentionedSince = async (tx: Reader) => {
    const pairOf = ({ userId, messageId }: Mention) => `${userId} ${messageId}`;
    const read = new Set(mentions.map(pairOf));
    const mentionsNow = [
      ...(await selectMentioned(tx, { realmId, after, upTo })),
      ...(await mentionedWithAll(tx, { realmId, after, upTo }, byId)),
    ];
    const added = mentionsNow.filter((mention) => !read.has(pairOf(mention)));
    addMentions(added);
    return new Set(added.map(({ userId }) => userId));
  };
  return { upTo, isMore, concerns, addMentionedSince };
}

/**
 * Subscribers of channels for messages that mention everybody now, but did not when this check read
 * them.
 */
async function mentionedWithAll(
  tx: Reader,
  stretch: { realmId: number; after: number; upTo: number },
  read: ReadonlyMap<number, NewMessage>,
): Promise<Mention[]> {
  const toAll = await selectToAll(tx, stretch);
  const added = toAll.filter(({ messageId }) => read.get(messageId)?.mentionsAllOf === null);
  const channelIds = [...new Set(added.flatMap(({ channelId }) => channelId ?? []))];
  const subscribers = await subscribersByChannel(tx, stretch.realmId, channelIds);
  return added.flatMap(({ messageId, channelId }) =>
    (subscribers.get(channelId ?? 0) ?? []).map((userId) => ({ userId, messageId })),
  );
}

type Add = (message: NewMessage, userIds: Iterable<number>) => void;

async function addDirect(
  reader: Reader,
  realmId: number,
  messages: readonly NewMessage[],
  add: Add,
) {
  const ids = new Set(messages.flatMap(({ conversationId }) => conversationId ?? []));
  const participants = await participantsOf(reader, realmId, [...ids]);
  for (const message of messages) {
    if (message.conversationId !== null)
      add(message, participants.get(message.conversationId) ?? []);
  }
}

async function addInChannels(
  reader: Reader,
  realmId: number,
  messages: readonly NewMessage[],
  wantAll: ReadonlySet<number>,
  add: Add,
) {
  const byChannel = Map.groupBy(messages, ({ channelId }) => channelId);
  for (const [channelId, inChannel] of byChannel) {
    if (channelId === null) continue;
    const firsts = firstOfTwo(inChannel);
    const wanting = await selectWanting(reader, { realmId, channelId });
    for (const first of firsts)
      add(
        first,
        wanting.map(({ userId }) => userId),
      );
    const wildcards = firstOfTwo(inChannel.filter(({ mentionsAllOf }) => mentionsAllOf !== null));
    if (wildcards.length > 0 || wantAll.size > 0) {
      const subscribers =
        (await subscribersByChannel(reader, realmId, [channelId])).get(channelId) ?? [];
      const wantingAll = subscribers.filter((userId) => wantAll.has(userId));
      for (const wildcard of wildcards) add(wildcard, subscribers);
      for (const first of firsts) add(first, wantingAll);
    }
    for (const [topicKey, inTopic] of Map.groupBy(inChannel, (message) => message.topicKey)) {
      const followers = await selectFollowers(reader, { realmId, channelId, topicKey });
      for (const first of firstOfTwo(inTopic))
        add(
          first,
          followers.map(({ userId }) => userId),
        );
    }
  }
}

/**
 * The first message, and the first of another sender: together they have for everybody the first
 * message that is not their own.
 */
function firstOfTwo(messages: readonly NewMessage[]): NewMessage[] {
  const [first] = messages;
  const other = messages.find(({ senderId }) => senderId !== first?.senderId);
  return [first, other].flatMap((message) => message ?? []);
}
