import { and, eq, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";
import type { Context, Person } from "../core/context";
import type { StateLoader } from "../core/state";
import { shownTopic } from "../topics/empty-topic";
import { newestMessageId } from "../users/queries";
import { mentionedAmong } from "./attention/mentioned";
import { listFlagged } from "./flags/flags-of-messages";
import { listUnread, type UnreadMessage, unreadMax } from "./flags/unread";
import { parseUserIds, participantsOf, readerOf } from "./queries";

const recentConversationsMax = 1_000;

/** Unread messages by conversation, as clients count them (`api/register.json`, unread_msgs). */
async function unreadState(ctx: Context<Person>, reader: Reader, knowsEmptyTopics: boolean) {
  const unread = await listUnread(reader, readerOf(ctx));
  const conversations = [...new Set(unread.flatMap(({ conversationId }) => conversationId ?? []))];
  const participants = await participantsOf(reader, ctx.realm.id, conversations);
  const me = ctx.actor.user.id;
  const pms: Record<string, unknown>[] = [];
  const huddles: Record<string, unknown>[] = [];
  for (const [conversationId, messages] of groupBy(unread, ({ conversationId }) => conversationId)) {
    const people = participants.get(conversationId ?? 0) ?? [];
    const unread_message_ids = messages.map(({ id }) => id);
    const other = people.find((id) => id !== me) ?? me;
    if (people.length <= 2) pms.push({ other_user_id: other, sender_id: other, unread_message_ids });
    else huddles.push({ user_ids_string: people.join(","), unread_message_ids });
  }
  return {
    count: unread.length,
    pms,
    streams: unreadTopics(unread, knowsEmptyTopics),
    huddles,
    mentions: await mentionedAmong(reader, ctx.realm.id, me, unread),
    old_unreads_missing: unread.length >= unreadMax,
  };
}

function unreadTopics(unread: UnreadMessage[], knowsEmptyTopics: boolean) {
  const inChannels = unread.filter(({ channelId }) => channelId !== null);
  const topics = Map.groupBy(inChannels, ({ channelId, topic }) => `${channelId}:${topic.toLowerCase()}`);
  return [...topics.values()].map((messages) => ({
    topic: shownTopic(messages.at(-1)?.topic ?? "", knowsEmptyTopics),
    stream_id: messages.at(-1)?.channelId ?? 0,
    unread_message_ids: messages.map(({ id }) => id),
  }));
}

function groupBy(unread: UnreadMessage[], key: (message: UnreadMessage) => number | null) {
  return Map.groupBy(
    unread.filter((message) => key(message) !== null),
    key,
  );
}

const selectConversations = statement((db, t) => {
  const { messages, conversations, conversationMembers: members } = t;
  const newest = sql<number>`(select max(${messages.id}) from ${messages}
    where ${messages.realmId} = ${conversations.realmId} and ${messages.conversationId} = ${conversations.id})`;
  return db
    .select({ userIds: conversations.userIds, newest: newest.mapWith(Number).as("newest") })
    .from(members)
    .innerJoin(
      conversations,
      and(eq(conversations.realmId, members.realmId), eq(conversations.id, members.conversationId)),
    )
    .where(and(eq(members.realmId, sql.placeholder("realmId")), eq(members.userId, sql.placeholder("userId"))))
    .orderBy(sql`newest desc nulls last`)
    .limit(recentConversationsMax);
});

/** The direct conversations with the newest messages; the actor's own id is left out of their people. */
async function recentConversations({ realm, actor }: Context<Person>, reader: Reader) {
  const me = actor.user.id;
  const rows = await selectConversations(reader, { realmId: realm.id, userId: me });
  // One whose messages are all deleted has none.
  return rows
    .filter(({ newest }) => newest > 0)
    .map(({ userIds, newest: max_message_id }) => ({
      max_message_id,
      user_ids: parseUserIds(userIds).filter((id) => id !== me),
    }));
}

export const messageStates: StateLoader[] = [
  {
    fetchTypes: ["message"],
    load: async ({ realm }, reader) => ({ max_message_id: await newestMessageId(reader, realm.id) }),
  },
  {
    fetchTypes: ["message", "update_message_flags"],
    load: async (ctx, reader, { emptyTopicName }) => ({ unread_msgs: await unreadState(ctx, reader, emptyTopicName) }),
  },
  {
    fetchTypes: ["starred_messages"],
    load: async ({ realm, actor }, reader) => ({
      starred_messages: (await listFlagged(reader, realm.id, actor.user.id, "starred")).reverse(),
    }),
  },
  {
    fetchTypes: ["recent_private_conversations"],
    load: async (ctx, reader) => ({ recent_private_conversations: await recentConversations(ctx, reader) }),
  },
];
