import { type Static, Type } from "@sinclair/typebox";
import { and, eq, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { shownTopic } from "../channels/topics/empty-topic";
import type { Context, Person } from "../core/context";
import { JsonText, membersJson } from "../core/raw-json";
import { ownRows, type StateLoader } from "../core/state";
import { newestMessageId } from "../people/users/queries";
import { listFlagged } from "../reading/flags-of-messages";
import { parseUserIds, participantsOf, readerOf } from "../reading/queries";
import { jsonOf, type UnreadGroup } from "../reading/unread/gathering";
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

/**
 * Unread messages by conversation, as clients count them (`test/recorded/api/register.json`,
 * unread_msgs).
 */
async function unreadState(
  ctx: Context<Person>,
  reader: Reader,
  knowsEmptyTopics: boolean,
): Promise<JsonText> {
  const unread = await summarizeUnread(reader, readerOf(ctx));
  const me = ctx.actor.user.id;
  const state = {
    count: unread.count,
    ...(await unreadDirect(ctx, reader, unread)),
    streams: unread.topics.map((group) =>
      withIds(group, {
        topic: shownTopic(group.place.topic, knowsEmptyTopics),
        stream_id: group.place.channelId ?? 0,
      }),
    ),
    mentions: await mentionedInUnread(reader, ctx.realm.id, me, unread),
    old_unreads_missing: unread.isCut,
  };
  return new JsonText(`{${membersJson(state)}}`);
}

/** The ids of many messages are JSON already. */
const withIds = (group: UnreadGroup, members: Record<string, unknown>) =>
  new JsonText(`{${membersJson(members)},"unread_message_ids":${jsonOf(group)}}`);

async function unreadDirect(
  { realm, actor }: Context<Person>,
  reader: Reader,
  { conversations }: UnreadSummary,
) {
  const conversationIds = conversations.map(({ place }) => place.conversationId ?? 0);
  const participants = await participantsOf(reader, realm.id, conversationIds);
  const pms: JsonText[] = [];
  const huddles: JsonText[] = [];
  for (const group of conversations) {
    const people = participants.get(group.place.conversationId ?? 0) ?? [];
    const other = people.find((id) => id !== actor.user.id) ?? actor.user.id;
    if (people.length <= 2) pms.push(withIds(group, { other_user_id: other, sender_id: other }));
    else huddles.push(withIds(group, { user_ids_string: people.join(",") }));
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
  load: async (ctx, reader, { emptyTopicName }) => ({
    unread_msgs: await unreadState(ctx, reader, emptyTopicName),
  }),
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
