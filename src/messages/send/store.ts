import { and, eq, isNull, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { strangersIn } from "../../channels/guest-visibility";
import type { ChannelRow } from "../../channels/queries";
import { wakeChannel } from "../../channels/traffic";
import type { Audience } from "../../core/audience";
import type { RealmMoment, Tx, UserRow } from "../../core/context";
import type { SendMoment, SentMessage } from "../../core/steps";
import { onlyRow } from "../../core/write";
import { botKinds } from "../../people/bots/kinds";
import { mayLimitGuests } from "../../people/users/viewer";
import { linksInTopic } from "../../reading/links-in-topic";
import { beginWidgetIn } from "../../reading/widgets";
import { type FullMessage, guardedPeople } from "../../reading/wire";
import type { Words } from "../../uploads/opening-right";
import { type Attention, noAttention } from "../attention/attention";
import { followMentioned } from "../attention/follow-mentioned";
import {
  type FlaggedPlace,
  mentionsAllOf,
  noTextEffects,
  reachedBy,
  storeTextFlags,
  type TextEffects,
} from "../attention/text-flags";
import { markReadAtOnce } from "../flags/read-at-once";
import type { LiveMessage } from "../presenter";
import { messageSent } from "./events";

/**
 * Place of a message, and its recipients. A channel message has a topic, one in a conversation has
 * participants.
 */
export interface MessagePlace {
  channelId: number | null;
  conversationId: number | null;
  topic: string;
  channelName: string | undefined;
  participants: UserRow[];
  audience: Audience;
  /** Whether guests may read there without a subscription. */
  isWebPublic: boolean;
  /** Whether the channel has had no message yet. */
  isFirst: boolean;
  /** Whether the channel has had no message for long. */
  isAwakening: boolean;
}

export const placeInChannel = (channel: ChannelRow, topic: string): MessagePlace => ({
  channelId: channel.id,
  conversationId: null,
  topic,
  channelName: channel.name,
  participants: [],
  audience: { to: "subscribers", channelId: channel.id, isPrivate: channel.inviteOnly },
  isWebPublic: channel.isWebPublic,
  isFirst: channel.firstMessageId === null,
  isAwakening: !channel.isRecentlyActive,
});

/** `participants` are ordered by id. */
export const placeInConversation = (
  conversationId: number,
  participants: UserRow[],
): MessagePlace => ({
  channelId: null,
  conversationId,
  topic: "",
  channelName: undefined,
  participants,
  audience: { to: "users", ids: participants.map(({ id }) => id) },
  isWebPublic: false,
  isFirst: false,
  isAwakening: false,
});

/**
 * Name that a client gives a message before it has an id, within its queue. The digest
 * distinguishes a repetition from another message.
 */
export interface LocalName {
  queueId: string;
  localId: string;
  digest: string;
}

/** A message whose sender may send it there. */
export interface NewMessage extends Words {
  sender: UserRow;
  place: MessagePlace;
  content: string;
  rendered: string;
  /** Whether it counts as read for the sender. */
  readBySender: boolean;
  /**
   * Stored so that a repetition is answered with this message; only for a queue of the sender's
   * own.
   */
  local: LocalName | undefined;
  /** People whom its text mentions, or whose alert words it contains. */
  attention: Attention;
  /** Recipients for whom it counts as read from the start. */
  readBy?: readonly number[] | undefined;
}

/** The row of a message. */
interface StoredMessage {
  realmId: number;
  senderId: number;
  channelId: number | null;
  conversationId: number | null;
  topic: string;
  topicKey: string;
  content: string;
  renderedContent: string;
  client: string;
  sentAt: number;
  readBySender: boolean;
  mentionsAllOf: number | null;
}

const rowOf = (given: Given<StoredMessage>) => ({
  realmId: given.realmId,
  senderId: given.senderId,
  channelId: given.channelId,
  sentChannelId: given.channelId,
  placedAt: 0,
  conversationId: given.conversationId,
  topic: given.topic,
  topicKey: given.topicKey,
  content: given.content,
  renderedContent: given.renderedContent,
  client: given.client,
  sentAt: given.sentAt,
  readBySender: given.readBySender,
  mentionsAllOf: given.mentionsAllOf,
});

const insertMessage = statement((db, t, given: Given<StoredMessage>) =>
  db.insert(t.messages).values(rowOf(given)).returning({ id: t.messages.id }),
);

const insertWithId = statement((db, t, given: Given<StoredMessage & { id: number }>) =>
  db
    .insert(t.messages)
    .values({ ...rowOf(given), id: given.id })
    .returning({ id: t.messages.id }),
);

/**
 * Stores a row and answers its id. If the id is reserved before, PostgreSQL gets the statements of
 * many sends together.
 */
async function storeRow(tx: Tx, row: StoredMessage): Promise<number> {
  const { nextMessageId } = tx;
  if (!nextMessageId) return onlyRow(await insertMessage(tx, row)).id;
  const id = await nextMessageId();
  tx.defer(insertWithId(tx, { ...row, id }));
  return id;
}

/**
 * Only names on the sender's own queue are stored, because they are deleted when the queue ends,
 * and nothing would delete others.
 */
const insertLocal = statement(
  (db, t, given: Given<LocalName & { realmId: number; userId: number; messageId: number }>) =>
    db
      .insert(t.sentLocals)
      .values({
        realmId: given.realmId,
        userId: given.userId,
        queueId: given.queueId,
        localId: given.localId,
        messageId: given.messageId,
        digest: given.digest,
      })
      .returning({ messageId: t.sentLocals.messageId }),
);

/** Memory of a message in addition to its text until it is delivered. */
const liveMessageBytes = 1_500;

/**
 * Stores a message with the flags of its text, announces it to its recipients and to bots that it
 * mentions, and answers its id. Also announces `user_topic` to people whom it mentions and who
 * follow the topic for that. Then the steps of `src/steps.ts` follow, for example for bots and
 * devices. Checks no permission.
 */
export async function storeMessage(
  tx: Tx,
  moment: SendMoment & { client: string },
  message: NewMessage,
): Promise<number> {
  const { sender, place, content, rendered, readBySender, local, attention, readBy } = message;
  const { realm, now, client } = moment;
  const { channelId, conversationId, topic, participants, audience } = place;
  const row: StoredMessage = {
    realmId: realm.id,
    senderId: sender.id,
    channelId,
    conversationId,
    topic,
    topicKey: topic.toLowerCase(),
    content,
    renderedContent: rendered,
    client,
    sentAt: now,
    readBySender,
    mentionsAllOf: mentionsAllOf({ sentChannelId: channelId }, attention.mentions),
  };
  const reached =
    attention === noAttention
      ? noTextEffects
      : await reachedBy(tx, moment, flaggedPlace(place, sender), attention);
  const id = await storeRow(tx, row);
  if (place.isAwakening && channelId !== null) await wakeChannel(tx, moment, channelId);
  if (place.isFirst && channelId !== null)
    await noteFirstMessage(tx, { realmId: realm.id, channelId, messageId: id });
  if (reached !== noTextEffects) await storeTextFlags(tx, realm.id, id, reached);
  if (local)
    tx.defer(insertLocal(tx, { ...local, realmId: realm.id, userId: sender.id, messageId: id }));
  const sent = asSent(id, row, message, reached);
  for (const step of moment.app.steps.messageStored) await step.run(tx, moment, sent);
  const full = asFull(
    id,
    row,
    { sender, place },
    {
      topicLinks: channelId === null ? [] : await linksInTopic(tx, realm, topic),
      submessages: content.startsWith("/") ? await beginWidgetIn(tx, realm.id, { ...row, id }) : [],
    },
  );
  const readers = new Set(readBy);
  if (readers.size > 0)
    await markReadAtOnce(tx, realm.id, { id, channelId, participants }, readers);
  const live = await liveMessage(tx, moment, sender, full, {
    local,
    readBy: readers,
    flags: reached.flags,
  });
  await tx.emit(audienceWith(audience, reached), messageSent({ message_id: id }), live);
  if (channelId !== null)
    await followMentioned(tx, realm.id, reached.mentioned, { channelId, topic });
  for (const step of moment.app.steps.messageAnnounced) await step.run(tx, moment, sent);
  return id;
}

/**
 * The recipients of a message, and generic bots that it mentions by name in a public channel:
 * these hear of it without a subscription, because bots wait for mentions in any channel. The
 * server calls bots of other kinds itself.
 */
function audienceWith(audience: Audience, { bots, named }: TextEffects): Audience {
  if (audience.to !== "subscribers") return audience;
  const outside = bots.filter((bot) => bot.botType === botKinds.generic && !named.includes(bot));
  return outside.length === 0 ? audience : { ...audience, also: outside.map(({ id }) => id) };
}

/** A new message with all fields of its protocol object: nobody has reacted to it or changed it. */
const asFull = (
  id: number,
  row: StoredMessage,
  { sender, place }: Pick<NewMessage, "sender" | "place">,
  { topicLinks, submessages }: Pick<FullMessage, "topicLinks" | "submessages">,
): FullMessage => ({
  id,
  senderId: row.senderId,
  sender,
  channelId: row.channelId,
  sentChannelId: row.channelId,
  channelName: place.channelName,
  conversationId: row.conversationId,
  participants: place.participants,
  placedAt: id,
  topic: row.topic,
  topicLinks,
  content: row.content,
  renderedContent: row.renderedContent,
  client: row.client,
  sentAt: row.sentAt,
  readBySender: row.readBySender,
  mentionsAllOf: row.mentionsAllOf,
  submessages,
  reactions: [],
  edits: [],
  lastEditedAt: null,
  lastMovedAt: null,
});

/** The message for the steps of other features. */
const asSent = (
  id: number,
  row: StoredMessage,
  { sender, authorId, place, attention }: NewMessage,
  { flags, named, bots }: TextEffects,
): SentMessage => ({
  id,
  sender,
  authorId,
  channelId: row.channelId,
  topicKey: row.topicKey,
  content: row.content,
  rendered: row.renderedContent,
  mentionsAllOf: row.mentionsAllOf,
  flags,
  named,
  bots,
  participants: place.participants,
  groups: attention.mentions.groups,
});

/** The message as it is delivered from memory to connected clients. */
async function liveMessage(
  tx: Tx,
  { realm }: RealmMoment,
  sender: UserRow,
  message: FullMessage,
  sent: Pick<LiveMessage, "local" | "flags" | "readBy">,
): Promise<LiveMessage> {
  const { channelId, content, renderedContent } = message;
  const mayHaveStrangers = channelId !== null && mayLimitGuests(realm);
  return {
    ...sent,
    message,
    realmHost: realm.host,
    strangers: mayHaveStrangers ? await strangersIn(tx, realm, channelId, sender) : undefined,
    texts: new Map(),
    guarded: guardedPeople(message),
    // The message, and two or three variants of its JSON.
    sizeBytes: 4 * (content.length + renderedContent.length) + liveMessageBytes,
  };
}

const flaggedPlace = (
  { channelId, topic, participants, audience, isWebPublic }: MessagePlace,
  sender: UserRow,
): FlaggedPlace => ({
  channelId,
  sentChannelId: channelId,
  topic,
  senderId: sender.id,
  isPublic: audience.to === "subscribers" && !audience.isPrivate,
  isWebPublic,
  participantIds: participants.map(({ id }) => id),
});

const noteFirstMessage = statement(
  (db, { channels }, given: Given<{ realmId: number; channelId: number; messageId: number }>) =>
    db
      .update(channels)
      .set({ firstMessageId: sql`${given.messageId}` })
      .where(
        and(
          eq(channels.realmId, given.realmId),
          eq(channels.id, given.channelId),
          isNull(channels.firstMessageId),
        ),
      ),
);
