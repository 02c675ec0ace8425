import { and, desc, eq, gte, inArray, lte } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { isIn } from "../../../db/sql/json";
import { joinInOrder } from "../../../db/sql/rows";
import { listOwnSubscriptions, type SubscriptionRow } from "../../channels/subscribers";
import { topicKey } from "../../channels/topics/empty-topic";
import { listUserTopics } from "../../channels/user-topics/queries";
import type { RealmRow, UserRow } from "../../core/context";
import { listMutedUsers } from "../../people/muted-users/queries";
import { parseUserSettings } from "../../people/settings/user-settings";
import { findUsersByIds } from "../../people/users/queries";
import { topicPolicies } from "../../protocol/topics";
import { filterReadable, findMessages, type MessageRow } from "../../reading/queries";
import { isRead, loadReadState } from "../../reading/read-state";
import { unmutedAmong } from "../../reading/unmuted";

/**
 * Number of messages of a kind that are checked, newest first: somebody who has missed more will
 * use their client.
 */
const ofKindMax = 500;

/** The messages between two ids, both included. */
interface Stretch {
  from: number;
  upTo: number;
}

type OwnStretch = Stretch & { realmId: number; userId: number };
type StretchOfChannels = Stretch & { realmId: number; channelIds: string };

const selectDirect = statement(
  (db, { conversationMembers: c, messages: m }, given: Given<OwnStretch>, dialect) => {
    const lateral = joinInOrder(
      dialect,
      m,
      and(
        eq(m.realmId, given.realmId),
        eq(m.conversationId, c.conversationId),
        gte(m.id, given.from),
        lte(m.id, given.upTo),
      ),
    );
    return db
      .select(lateral.columns({ id: m.id }))
      .from(c)
      .crossJoin(lateral.rows)
      .where(and(eq(c.realmId, given.realmId), eq(c.userId, given.userId), lateral.where))
      .orderBy(desc(m.id))
      .limit(ofKindMax);
  },
);

const selectMentioning = statement((db, { messageFlags: f }, given: Given<OwnStretch>) =>
  db
    .select({ id: f.messageId, flag: f.flag })
    .from(f)
    .where(
      and(
        eq(f.realmId, given.realmId),
        eq(f.userId, given.userId),
        inArray(f.flag, ["mentioned", "topic_wildcard_mentioned"]),
        gte(f.messageId, given.from),
        lte(f.messageId, given.upTo),
      ),
    )
    .orderBy(desc(f.messageId))
    .limit(ofKindMax),
);

const selectFollowed = statement(
  (db, { userTopics: u, messages: m }, given: Given<OwnStretch>, dialect) => {
    const lateral = joinInOrder(
      dialect,
      m,
      and(
        eq(m.realmId, given.realmId),
        eq(m.channelId, u.channelId),
        eq(m.topicKey, u.topicKey),
        gte(m.id, given.from),
        lte(m.id, given.upTo),
      ),
    );
    return db
      .select(lateral.columns({ id: m.id }))
      .from(u)
      .crossJoin(lateral.rows)
      .where(
        and(
          eq(u.realmId, given.realmId),
          eq(u.userId, given.userId),
          eq(u.visibilityPolicy, topicPolicies.followed),
          lateral.where,
        ),
      )
      .orderBy(desc(m.id))
      .limit(ofKindMax);
  },
);

const selectInChannels = statement(
  (db, { messages: m }, given: Given<StretchOfChannels>, dialect) =>
    db
      .select({ id: m.id })
      .from(m)
      .where(
        and(
          eq(m.realmId, given.realmId),
          isIn(dialect, m.channelId, given.channelIds),
          gte(m.id, given.from),
          lte(m.id, given.upTo),
        ),
      )
      .orderBy(desc(m.id))
      .limit(ofKindMax),
);

const selectToAll = statement((db, { messages: m }, given: Given<StretchOfChannels>, dialect) =>
  db
    .select({ id: m.id })
    .from(m)
    .where(
      and(
        eq(m.realmId, given.realmId),
        isIn(dialect, m.mentionsAllOf, given.channelIds),
        gte(m.id, given.from),
        lte(m.id, given.upTo),
      ),
    )
    .orderBy(desc(m.id))
    .limit(ofKindMax),
);

/**
 * Messages among these that somebody has missed, oldest first: direct messages, mentions, messages
 * in topics that they follow, and messages in channels that they want mails about. Only messages
 * that they may read, have not read and want mails about. Mentions of everybody, and messages of
 * channels, do not count where they have muted the place. Messages of muted people and of the
 * server's own bots never count.
 */
export async function listMissed(
  reader: Reader,
  realm: RealmRow,
  user: UserRow,
  stretch: Stretch,
): Promise<MessageRow[]> {
  const who = { realmId: realm.id, userId: user.id, role: user.role };
  const found = await findCandidates(reader, user, stretch);
  const rows = await findMessages(reader, realm.id, [
    ...new Set([...found.direct, ...found.others]),
  ]);
  const readable = await filterReadable(reader, who, rows);
  const state = await loadReadState(reader, realm.id, user.id, readable);
  const mutedPeople = new Set(
    (await listMutedUsers(reader, realm.id, user.id)).map(({ id }) => id),
  );
  const senders = await findUsersByIds(reader, realm.id, [
    ...new Set(readable.map(({ senderId }) => senderId)),
  ]);
  const bots = new Set(senders.filter(({ isSystemBot }) => isSystemBot).map(({ id }) => id));
  const isUnmuted = await unmutedAmong(reader, realm.id, user.id, readable);
  return readable.filter((message) => {
    const { id, senderId } = message;
    if (
      senderId === user.id ||
      mutedPeople.has(senderId) ||
      bots.has(senderId) ||
      isRead(state, message)
    )
      return false;
    return found.direct.has(id) || isUnmuted(message);
  });
}

interface Candidates {
  /** Messages addressed to the user, wherever they are. */
  direct: Set<number>;
  /** Messages that count only where the user has not muted the place. */
  others: Set<number>;
}

async function findCandidates(
  reader: Reader,
  user: UserRow,
  stretch: Stretch,
): Promise<Candidates> {
  const at = { realmId: user.realmId, userId: user.id, ...stretch };
  const settings = parseUserSettings(user.settings);
  const found: Candidates = { direct: new Set(), others: new Set() };
  const subscriptions = (await listOwnSubscriptions(reader, user.realmId, user.id)).filter(
    ({ isActive }) => isActive,
  );
  if (settings.enable_offline_email_notifications) {
    take(found.direct, await selectDirect(reader, at));
    const mentioning = await selectMentioning(reader, at);
    const [byName = [], wildcards = []] = [true, false].map((isName) =>
      mentioning.filter(({ flag }) => (flag === "mentioned") === isName),
    );
    take(found.direct, byName);
    const toAll = await selectToAll(reader, {
      ...at,
      channelIds: JSON.stringify(subscriptions.map((one) => one.channelId)),
    });
    take(
      found.others,
      await wantedWildcards(reader, user, subscriptions, [...wildcards, ...toAll]),
    );
  }
  if (settings.enable_followed_topic_email_notifications)
    take(found.others, await selectFollowed(reader, at));
  const wanted = subscriptions.filter(
    (one) => one.emailNotifications ?? settings.enable_stream_email_notifications,
  );
  if (wanted.length === 0) return found;
  const channelIds = JSON.stringify(wanted.map(({ channelId }) => channelId));
  take(found.others, await selectInChannels(reader, { ...at, channelIds }));
  return found;
}

function take(ids: Set<number>, rows: readonly { id: number }[]) {
  for (const { id } of rows) ids.add(id);
}

/**
 * Mentions of everybody, among these, that somebody wants: in topics that they follow, or in the
 * channel.
 */
async function wantedWildcards(
  reader: Reader,
  user: UserRow,
  subscriptions: readonly SubscriptionRow[],
  mentions: readonly { id: number }[],
): Promise<MessageRow[]> {
  if (mentions.length === 0) return [];
  const settings = parseUserSettings(user.settings);
  const followed = await followedTopics(reader, user);
  const wants = new Map(subscriptions.map((one) => [one.channelId, one.wildcardMentionsNotify]));
  const rows = await findMessages(reader, user.realmId, [...new Set(mentions.map(({ id }) => id))]);
  return rows.filter(({ channelId, topic }) => {
    const isFollowed = followed.has(`${channelId} ${topicKey(topic)}`);
    if (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) return true;
    return wants.get(channelId ?? 0) ?? settings.wildcard_mentions_notify;
  });
}

async function followedTopics(
  reader: Reader,
  { realmId, id }: UserRow,
): Promise<ReadonlySet<string>> {
  const rows = await listUserTopics(reader, realmId, id);
  const isFollowed = ({ visibilityPolicy }: (typeof rows)[number]) =>
    visibilityPolicy === topicPolicies.followed;
  return new Set(rows.filter(isFollowed).map((row) => `${row.channelId} ${row.topicKey}`));
}
