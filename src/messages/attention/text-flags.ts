import { and, eq, inArray, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { isIn, wantedAt, wantedRows, wantedText } from "../../../db/sql/json";
import { wholeNumber } from "../../../db/sql/values";
import type { RealmMoment, Tx, UserRow } from "../../core/context";
import { isOpenTo } from "../../core/reading-right/predicate";
import { periodHolds } from "../../core/reading-right/sql";
import { isSystemGroupName } from "../../core/rights/group-setting";
import type { Mentions } from "../../markdown/mentions";
import {
  type GroupName,
  listGroupsWithin,
  listMemberIds,
  listUserIdsIn,
} from "../../people/user-groups/queries";
import { findUsersByIds } from "../../people/users/queries";
import { idMax } from "../../reading/unread/unread-lines";
import { type Attention, isAnybody } from "./attention";
import { listTopicParticipants } from "./topic-participants";

/**
 * Flags of a message for somebody that follow from its text: each is a row of `message_flags` if
 * set.
 */
const textFlags = ["mentioned", "topic_wildcard_mentioned", "has_alert_word"] as const;

type TextFlag = (typeof textFlags)[number];

/** Facts about a message that decide who gets flags. */
export interface FlaggedPlace {
  /** Its id; undefined before it is stored. */
  id?: number;
  channelId: number | null;
  /** The channel that it was sent to: the subscribers at that time have received the message. */
  sentChannelId: number | null;
  topic: string;
  /**
   * Whether people other than subscribers may read in its channel: all but guests, or guests too.
   */
  isPublic: boolean;
  isWebPublic: boolean;
  /** The people of its direct conversation. */
  participantIds: readonly number[];
  senderId: number;
}

/** Effects of a text on people. */
export interface TextEffects {
  /** The flags of users who have any, by user. */
  flags: ReadonlyMap<number, readonly TextFlag[]>;
  /** Recipients whom it mentions by name. */
  named: readonly UserRow[];
  /** Active recipients whom it mentions, by name or through a group. */
  mentioned: readonly UserRow[];
  /** Bots that it mentions by name and that may read it. */
  bots: readonly UserRow[];
}

export const noTextEffects: TextEffects = { flags: new Map(), named: [], mentioned: [], bots: [] };

/** A list of people, as JSON: the query finds the recipients of a message among them. */
interface ReceiversAsked {
  realmId: number;
  channelId: number;
  ids: string;
  id: number;
}

const selectReceivers = statement((db, t, given: Given<ReceiversAsked>, dialect) => {
  const { subscriptionPeriods: periods } = t;
  return db
    .selectDistinct({ userId: periods.userId })
    .from(periods)
    .where(
      and(
        eq(periods.realmId, given.realmId),
        eq(periods.channelId, given.channelId),
        isIn(dialect, periods.userId, given.ids),
        periodHolds(t, given.id),
      ),
    );
});

/**
 * The effects of a text at its place, on people who are mentioned or have alert words in it and
 * have received the message. A mention by name also reaches somebody outside who may read the
 * message: in a public channel everybody but guests, and in a web-public one guests too. It grants
 * nobody access. A channel's wildcard sets no flags of single people (`messages.mentions_all_of`).
 */
export async function reachedBy(
  tx: Tx,
  moment: RealmMoment,
  place: FlaggedPlace,
  attention: Attention,
): Promise<TextEffects> {
  const { mentions, alerted } = attention;
  if (!isAnybody(mentions) && alerted.length === 0) return noTextEffects;
  const { id: realmId } = moment.realm;
  const named = (await findUsersByIds(tx, realmId, mentions.people)).filter(
    ({ isActive }) => isActive,
  );
  const members = new Set(await membersOf(tx, moment, mentions));
  for (const { id } of named) members.delete(id);
  const asked: Record<TextFlag, Iterable<number>> = {
    mentioned: [...named.map(({ id }) => id), ...members],
    topic_wildcard_mentioned: await participantsOf(tx, realmId, place, mentions),
    has_alert_word: alerted,
  };
  const receiving = await receiversAmong(
    tx,
    realmId,
    place,
    new Set(textFlags.flatMap((flag) => [...asked[flag]])),
  );
  const flags = new Map<number, TextFlag[]>();
  const privacy = { inviteOnly: !place.isPublic, isWebPublic: place.isWebPublic };
  const mayRead = ({ role }: UserRow) => isOpenTo(role, privacy);
  for (const { id } of named.filter((user) => !receiving.has(user.id) && mayRead(user)))
    flags.set(id, ["mentioned"]);
  for (const flag of textFlags) {
    for (const userId of new Set(asked[flag])) {
      if (receiving.has(userId)) flags.set(userId, [...(flags.get(userId) ?? []), flag]);
    }
  }
  const namedHere = named.filter(({ id }) => receiving.has(id));
  const membersHere = await findUsersByIds(tx, realmId, [...members.intersection(receiving)]);
  return {
    flags,
    named: namedHere,
    mentioned: [...namedHere, ...membersHere.filter(({ isActive }) => isActive)],
    bots: named.filter(({ id, botType }) => botType !== null && flags.has(id)),
  };
}

async function membersOf(tx: Tx, moment: RealmMoment, { groups }: Mentions): Promise<number[]> {
  const { id: realmId } = moment.realm;
  const within: GroupName[] = [];
  for (const id of groups) within.push(...(await listGroupsWithin(tx, realmId, { id })));
  const groupIds = within.filter(({ isSystem }) => !isSystem).map(({ id }) => id);
  const members = [...(await listUserIdsIn(tx, realmId, groupIds))];
  for (const group of within.filter(({ isSystem, name }) => isSystem && isSystemGroupName(name))) {
    members.push(...(await listMemberIds(tx, moment, group)));
  }
  return members;
}

async function participantsOf(
  tx: Tx,
  realmId: number,
  place: FlaggedPlace,
  { topicWildcard }: Mentions,
) {
  const { channelId, topic, senderId } = place;
  if (!topicWildcard || channelId === null) return [];
  return [...(await listTopicParticipants(tx, realmId, channelId, topic)), senderId];
}

/** The users among these who have received a message. */
async function receiversAmong(
  tx: Tx,
  realmId: number,
  place: FlaggedPlace,
  userIds: ReadonlySet<number>,
) {
  const { id = idMax, sentChannelId: channelId, participantIds } = place;
  if (channelId === null) return new Set(participantIds.filter((userId) => userIds.has(userId)));
  if (userIds.size === 0) return new Set<number>();
  const rows = await selectReceivers(tx, {
    realmId,
    channelId,
    id,
    ids: JSON.stringify([...userIds]),
  });
  return new Set(rows.map(({ userId }) => userId));
}

type OnMessage = { realmId: number; messageId: number };

/** The rows are one JSON value, so that one statement stores any number of flags. */
const insertFlags = statement((db, t, given: Given<OnMessage & { rows: string }>, dialect) =>
  db
    .insert(t.messageFlags)
    .select(
      db
        .select({
          realmId: sql<number>`${wholeNumber(dialect, given.realmId)}`.as("realm_id"),
          userId: sql<number>`${wantedAt(dialect, 0)}`.as("user_id"),
          messageId: sql<number>`${wholeNumber(dialect, given.messageId)}`.as("message_id"),
          flag: sql<string>`${wantedText(1)}`.as("flag"),
        })
        .from(wantedRows(dialect, given.rows))
        // Without a WHERE, SQLite would read ON CONFLICT as the condition of a join.
        .where(sql`true`),
    )
    .onConflictDoNothing(),
);

/** Stores the flags of a new message. */
export async function storeTextFlags(
  tx: Tx,
  realmId: number,
  messageId: number,
  { flags }: TextEffects,
): Promise<void> {
  const rows = [...flags].flatMap(([userId, ofUser]) => ofUser.map((flag) => [userId, flag]));
  if (rows.length > 0) await insertFlags(tx, { realmId, messageId, rows: JSON.stringify(rows) });
}

const deleteTextFlags = statement((db, { messageFlags: f }, given: Given<OnMessage>) =>
  db
    .delete(f)
    .where(
      and(
        eq(f.realmId, given.realmId),
        eq(f.messageId, given.messageId),
        inArray(f.flag, [...textFlags]),
      ),
    )
    .returning({ userId: f.userId, flag: f.flag }),
);

/** Replaces the flags of a message whose text has changed. Answers the newly mentioned people. */
export async function replaceTextFlags(
  tx: Tx,
  realmId: number,
  messageId: number,
  reached: TextEffects,
): Promise<ReadonlySet<number>> {
  const before = await deleteTextFlags(tx, { realmId, messageId });
  await storeTextFlags(tx, realmId, messageId, reached);
  const mentionedBefore = new Set(
    before.filter(({ flag }) => flag === "mentioned").map(({ userId }) => userId),
  );
  const now = [...reached.flags]
    .filter(([, flags]) => flags.includes("mentioned"))
    .map(([userId]) => userId);
  return new Set(now.filter((userId) => !mentionedBefore.has(userId)));
}

/** `messages.mentions_all_of` of a message with these mentions. */
export const mentionsAllOf = (
  { sentChannelId }: Pick<FlaggedPlace, "sentChannelId">,
  { channelWildcard }: Mentions,
): number | null => (channelWildcard ? (sentChannelId ?? 0) : null);
