import { and, asc, type Column, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { isIn, numbersOf } from "../../../db/sql/json";
import { joinInOrder } from "../../../db/sql/rows";
import { findChannel } from "../../channels/queries";
import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, record } from "../../core/params";
import { mayReadMessage } from "../../core/reading-right/predicate";
import { periodHolds } from "../../core/reading-right/sql";
import { findPeriodsAmong } from "../../core/reading-right/stored";
import { sees } from "../../core/rights/person-visibility";
import { findMuters, listMutedUsers } from "../../people/muted-users/queries";
import { parseUserSettings } from "../../people/settings/user-settings";
import { viewerOf } from "../../people/users/viewer";
import { ownFlags } from "../../reading/flags-of-messages";
import { loadReadableMessage, type MessageRow, participantIds } from "../../reading/queries";
import { blockOf, directScope, hasBit } from "../../reading/read-blocks";
import { parseRealmSettings } from "../../realm/settings";

export const GetReadReceipts = record({ messageId: id() });

/**
 * People who have read a message, except its sender: only people who share that, and whom the actor
 * sees. People who mute the actor, or whom the actor mutes, are left out. Readers have received it,
 * or have starred, collapsed or reacted to it, because that needs reading it. People who may not
 * read a moved message in its channel are left out, because the move marked it as read for them.
 * Other people whom it was marked for are told of as readers: they may read that channel without a
 * subscription, have joined it later, or got the message back by another move. Nothing tells that
 * mark from their own. Refuses a missing message and one that the actor may not read alike, and
 * every request where the organization has turned read receipts off. Source:
 * `test/recorded/api/api-surface.json`, get-read-receipts.
 */
export async function getReadReceipts(
  ctx: Context<Person>,
  { messageId }: Input<typeof GetReadReceipts>,
): Promise<{ user_ids: number[] }> {
  const message = await loadReadableMessage(ctx.reader, ctx, messageId);
  if (!parseRealmSettings(ctx.realm.settings).enable_read_receipts) {
    throw badRequest("This organization has turned read receipts off.");
  }
  const counted = await readersOf(ctx.reader, ctx.realm.id, message);
  const readers = await withoutLosers(ctx.reader, ctx.realm.id, message, counted);
  const viewer = await viewerOf(
    ctx.reader,
    ctx,
    readers.map((person) => person.id),
  );
  const hidden = await mutersAndMuted(ctx);
  const shown = readers.filter((person) => sees(viewer, person) && !hidden.has(person.id));
  return { user_ids: shown.map((person) => person.id) };
}

/**
 * People who mute the actor, and people whom the actor mutes. Messages of the actor count as read
 * for the former as soon as they are sent, by which the actor would find out.
 */
async function mutersAndMuted({ reader, realm, actor }: Context<Person>): Promise<Set<number>> {
  const [muters, muted] = await Promise.all([
    findMuters(reader, realm.id, actor.user.id),
    listMutedUsers(reader, realm.id, actor.user.id),
  ]);
  return new Set([...(muters ?? []), ...muted.map((person) => person.id)]);
}

/**
 * People for whom a message counts as read: by their watermark or, if it was not delivered to them,
 * because they have acted on it; unless the exceptions in their bitmap reverse that.
 */
async function readersOf(reader: Reader, realmId: number, message: MessageRow) {
  const { id: messageId, senderId, sentChannelId, conversationId } = message;
  const asked = { realmId, messageId, senderId, block: blockOf(messageId) };
  const rows =
    sentChannelId === null
      ? await selectOfConversation(reader, {
          ...asked,
          scope: directScope,
          people: JSON.stringify(await participantIds(reader, realmId, conversationId ?? 0)),
        })
      : await selectOfChannel(reader, { ...asked, scope: sentChannelId });
  return rows.filter(({ settings, readUpTo, bits, isReceived }) => {
    const isException = bits !== null && hasBit(Buffer.from(bits), messageId);
    const isReadByRule = isReceived === 0 || messageId <= (readUpTo ?? 0);
    return isReadByRule !== isException && letsKnow(settings);
  });
}

/** People among these who did not lose a message by its move to another channel. */
async function withoutLosers<Reading extends { id: number; role: number }>(
  reader: Reader,
  realmId: number,
  { channelId, sentChannelId, placedAt }: MessageRow,
  people: Reading[],
): Promise<Reading[]> {
  if (channelId === null || channelId === sentChannelId) return people;
  const channel = await findChannel(reader, realmId, channelId);
  if (!channel) return [];
  const ids = people.map(({ id }) => id);
  const periods = await findPeriodsAmong(reader, channel, ids);
  return people.filter(({ id, role }) =>
    mayReadMessage(channel, periods.get(id) ?? [], role, { placedAt }),
  );
}

/** A message; `scope` is the one of its marks and blocks, for a channel its id. */
type Asked = Given<{
  realmId: number;
  messageId: number;
  senderId: number;
  scope: number;
  block: number;
}>;

/** The people to whom a message was delivered when it was sent. */
interface Received {
  /** A subquery of their ids, as `id`, without parentheses. */
  ids: SQL;
  /** The condition that a user is among them. */
  isAmong: SQL;
}

/**
 * People to whom a message was delivered when it was sent, and those who have handled it. Begins
 * with their ids, because with a condition for users SQLite looks at all users of the realm.
 */
function peopleFor(db: Reader["db"], t: Reader["t"], given: Asked, received: Received) {
  const { users, readWatermarks: marks, readBlocks: blocks } = t;
  const isOfThem = (table: typeof marks | typeof blocks) =>
    and(eq(table.realmId, given.realmId), eq(table.userId, users.id), eq(table.scope, given.scope));
  return db
    .select({
      id: users.id,
      role: users.role,
      botType: users.botType,
      settings: users.settings,
      readUpTo: marks.readUpTo,
      bits: blocks.bits,
      isReceived: sql<number>`case when ${received.isAmong} then 1 else 0 end`.mapWith(Number),
    })
    .from(
      sql`(select distinct id from (${received.ids} union all ${handlers(t, given)}) people) people`,
    )
    .crossJoin(users)
    .leftJoin(marks, isOfThem(marks))
    .leftJoin(blocks, and(isOfThem(blocks), eq(blocks.block, given.block)))
    .where(
      and(
        eq(users.realmId, given.realmId),
        sql`${users.id} = people.id`,
        eq(users.isActive, true),
        ne(users.id, given.senderId),
      ),
    )
    .orderBy(asc(users.id));
}

/** The ids of users who have starred, collapsed or reacted to a message. */
function handlers({ messageFlags: flags, reactions }: Reader["t"], given: Asked): SQL {
  const isFlagged = and(
    eq(flags.realmId, given.realmId),
    eq(flags.messageId, given.messageId),
    inArray(flags.flag, [...ownFlags]),
  );
  const isReaction = and(
    eq(reactions.realmId, given.realmId),
    eq(reactions.messageId, given.messageId),
  );
  return sql`select ${flags.userId} from ${flags} where ${isFlagged}
    union all select ${reactions.userId} from ${reactions} where ${isReaction}`;
}

const selectOfConversation = statement((db, t, given: Asked & Given<{ people: string }>, dialect) =>
  peopleFor(db, t, given, {
    ids: sql`select value as id from (${numbersOf(dialect, given.people)}) numbers`,
    isAmong: isIn(dialect, t.users.id, given.people),
  }),
);

/**
 * Begins with the channel's present and former subscribers, because periods have no index by
 * channel.
 */
const selectOfChannel = statement((db, t, given: Asked, dialect) => {
  const { subscriptions: s, subscriptionPeriods: periods, users } = t;
  const during = (userId: Column) =>
    and(
      eq(periods.realmId, given.realmId),
      eq(periods.userId, userId),
      eq(periods.channelId, given.scope),
      periodHolds(t, sql`${given.messageId}`),
    );
  const ofPerson = joinInOrder(dialect, periods, during(s.userId));
  const isOfChannel = and(eq(s.realmId, given.realmId), eq(s.channelId, given.scope));
  return peopleFor(db, t, given, {
    ids: sql`select ${s.userId} as id from ${s} cross join ${ofPerson.rows} where ${and(isOfChannel, ofPerson.where)}`,
    isAmong: sql`exists (select 1 from ${periods} where ${during(users.id)})`,
  });
});

/** Settings are stored only where they differ from their default, which is to share it. */
const letsKnow = (settings: string) =>
  !settings.includes("send_read_receipts") || parseUserSettings(settings).send_read_receipts;
