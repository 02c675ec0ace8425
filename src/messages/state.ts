import { type Static, Type } from "@sinclair/typebox";
import { and, eq, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { shownTopic } from "../channels/topics/empty-topic";
import type { Context, Person } from "../core/context";
import { PieceList } from "../core/json/long-json";
import { JsonMembers, JsonPieces, membersJson } from "../core/json/raw-json";
import { ownRows, type StateLoader } from "../core/state";
import { newestMessageId } from "../people/users/queries";
import { listFlagged } from "../reading/flags-of-messages";
import { parseUserIds, participantsOf, readerOf } from "../reading/queries";
import { idTexts, type UnreadGroup } from "../reading/unread/gathering";
import { loadUnread, summarizeUnread, type UnreadSummary } from "../reading/unread/unread-summary";
import { mentionedInUnread } from "./attention/mentioned";

const recentConversationsMax = 1_000;

const unreadIn = { unread_message_ids: Type.Array(Type.Integer()) };
const unreadWithOne = Type.Object({
  other_user_id: Type.Integer(),
  sender_id: Type.Integer({ description: "Their id, for older clients." }),
  ...unreadIn,
});
const unreadWithSeveral = Type.Object({
  user_ids_string: Type.String({
    description:
      "The ids of all people, including the user's own, ascending and separated by commas.",
  }),
  ...unreadIn,
});

const unreadMessages = Type.Object({
  count: Type.Integer(),
  pms: Type.Array(unreadWithOne),
  huddles: Type.Array(unreadWithSeveral),
  streams: Type.Array(
    Type.Object({ topic: Type.String(), stream_id: Type.Integer(), ...unreadIn }),
  ),
  mentions: Type.Array(Type.Integer(), { description: "Messages that mention the user." }),
  old_unreads_missing: Type.Boolean({
    description: "Whether older unread messages may be missing here.",
  }),
});

const recentConversation = Type.Object({
  max_message_id: Type.Integer(),
  user_ids: Type.Array(Type.Integer()),
});

/** Length from which the ids of a piece are not copied. */
const piecesLengthMin = 256;

/**
 * Unread messages by conversation, as clients count them (`test/recorded/api/register.json`,
 * unread_msgs).
 */
async function unreadState(
  ctx: Context<Person>,
  reader: Reader,
  knowsEmptyTopics: boolean,
): Promise<JsonMembers | JsonPieces> {
  const unread = await summarizeUnread(reader, readerOf(ctx));
  const { pms, huddles } = await unreadDirect(ctx, reader, unread);
  const streams = unread.topics.map((group): ToldGroup => {
    const topic = shownTopic(group.place.topic, knowsEmptyTopics);
    return { group, members: { topic, stream_id: group.place.channelId ?? 0 } };
  });
  const mentions = await mentionedInUnread(reader, ctx.realm.id, ctx.actor.user.id, unread);
  const list = new PieceList(piecesLengthMin);
  list.add(`"unread_msgs":{"count":${unread.count}`);
  addGroups(list, "pms", pms);
  addGroups(list, "huddles", huddles);
  addGroups(list, "streams", streams);
  list.add(`,${membersJson({ mentions, old_unreads_missing: unread.isCut })}}`);
  const pieces = list.end();
  const [first = ""] = pieces;
  return pieces.length > 1 ? new JsonPieces(pieces) : new JsonMembers(first);
}

/** Unread messages of a topic or a conversation, with the members that tell which one it is. */
interface ToldGroup {
  group: UnreadGroup;
  members: Record<string, unknown>;
}

function addGroups(list: PieceList, name: string, groups: readonly ToldGroup[]) {
  list.add(`,"${name}":[`);
  for (const [index, { group, members }] of groups.entries()) {
    list.add(`${index === 0 ? "{" : ",{"}${membersJson(members)},"unread_message_ids":`);
    for (const text of idTexts(group)) list.add(text);
    list.add("}");
  }
  list.add("]");
}

async function unreadDirect(
  { realm, actor }: Context<Person>,
  reader: Reader,
  { conversations }: UnreadSummary,
) {
  const conversationIds = conversations.map(({ place }) => place.conversationId ?? 0);
  const participants = await participantsOf(reader, realm.id, conversationIds);
  const pms: ToldGroup[] = [];
  const huddles: ToldGroup[] = [];
  for (const group of conversations) {
    const people = participants.get(group.place.conversationId ?? 0) ?? [];
    const other = people.find((id) => id !== actor.user.id) ?? actor.user.id;
    if (people.length <= 2)
      pms.push({ group, members: { other_user_id: other, sender_id: other } });
    else huddles.push({ group, members: { user_ids_string: people.join(",") } });
  }
  return { pms, huddles };
}

const selectConversations = statement(
  (db, t, given: Given<{ realmId: number; userId: number }>) => {
    const { messages, conversations, conversationMembers: members } = t;
    const newest = sql<number>`(select max(${messages.id}) from ${messages}
    where ${messages.realmId} = ${conversations.realmId} and ${messages.conversationId} = ${conversations.id})`;
    return db
      .select({ userIds: conversations.userIds, newest: newest.mapWith(Number).as("newest") })
      .from(members)
      .innerJoin(
        conversations,
        and(
          eq(conversations.realmId, members.realmId),
          eq(conversations.id, members.conversationId),
        ),
      )
      .where(and(eq(members.realmId, given.realmId), eq(members.userId, given.userId)))
      .orderBy(sql`newest desc nulls last`)
      .limit(recentConversationsMax);
  },
);

/** The direct conversations with the newest messages, with the other people's ids. */
async function recentConversations(
  { realm, actor }: Context<Person>,
  reader: Reader,
): Promise<Static<typeof recentConversation>[]> {
  const me = actor.user.id;
  const rows = await selectConversations(reader, { realmId: realm.id, userId: me });
  // A conversation whose messages are all deleted is left out.
  return rows
    .filter(({ newest }) => newest > 0)
    .map(({ userIds, newest: max_message_id }) => ({
      max_message_id,
      user_ids: parseUserIds(userIds).filter((id) => id !== me),
    }));
}

const newestState = {
  fetchTypes: ["message"],
  keys: { max_message_id: Type.Integer() },
  load: async ({ realm }, reader) => ({ max_message_id: await newestMessageId(reader, realm.id) }),
} satisfies StateLoader;

const unreadMessagesState = {
  fetchTypes: ["message", "update_message_flags"],
  keys: { unread_msgs: unreadMessages },
  prepare: (ctx) => loadUnread(ctx.reader, readerOf(ctx)),
  load: (ctx, reader, { emptyTopicName }) => unreadState(ctx, reader, emptyTopicName),
} satisfies StateLoader;

const starredState = {
  fetchTypes: ["starred_messages"],
  keys: { starred_messages: Type.Array(Type.Integer()) },
  own: ownRows((t) => t.messageFlags, { starred_messages: [] }),
  load: async ({ realm, actor }, reader) => ({
    starred_messages: (await listFlagged(reader, realm.id, actor.user.id, "starred")).reverse(),
  }),
} satisfies StateLoader;

const recentConversationsState = {
  fetchTypes: ["recent_private_conversations"],
  keys: { recent_private_conversations: Type.Array(recentConversation) },
  own: ownRows((t) => t.conversationMembers, { recent_private_conversations: [] }),
  load: async (ctx, reader) => ({
    recent_private_conversations: await recentConversations(ctx, reader),
  }),
} satisfies StateLoader;

export const messageStates = [
  newestState,
  unreadMessagesState,
  starredState,
  recentConversationsState,
];
