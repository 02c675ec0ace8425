import { and, eq, ne, type SQL, type SQLWrapper, sql, type Table } from "drizzle-orm";
import { type Given, type Reader, statements } from "../../../db/reader";
import type { Dialect, Schema } from "../../../db/schema";
import { wantedAt, wantedRows } from "../../../db/sql/json";
import { wholeNumber } from "../../../db/sql/values";
import type { OfPerson } from "../../core/context";
import { openChannelIds, type Periods, periodsIn } from "../../core/reading-right/periods";
import { listPeriods } from "../../core/reading-right/stored";
import { type MovedPairs, movedPairs } from "../moved-pairs";
import { blockOf, directScope, idsPerBlock } from "../read-blocks";
import { listWatermarks } from "../read-state";
import {
  type IdRange,
  idMax,
  listConversations,
  rangesAbove,
  type UnreadPlace,
} from "./unread-lines";
import type { Side } from "./unread-pages";

/** Place whose read messages are searched; `isPersonal` where all were delivered to the reader. */
export interface Searched {
  place: UnreadPlace;
  isPersonal: boolean;
}

/** Most channels and conversations of which each is searched for a nearer message. */
const searchedMax = 500;

/** The facts that decide which ranges of ids have no read messages. */
interface Facts {
  periods: Periods;
  marks: ReadonlyMap<number, number>;
  moved: MovedPairs;
  conversations: readonly number[];
}

/**
 * An anchor, on one side of a place's anchor, that is as near as possible to the next message that
 * somebody may have read: all messages between the two are unread. Undefined where nothing further
 * is read. The cost is a search in each channel and conversation, whatever is unread; with more
 * than `searchedMax` of them, and where not all was delivered to the reader, the anchor stays as it
 * is.
 */
export async function skipUnread(
  reader: Reader,
  who: OfPerson,
  { place, isPersonal }: Searched,
  side: Side,
  from: number,
): Promise<number | undefined> {
  const anchor = Math.min(from, idMax);
  const facts = await loadFacts(reader, who, place);
  const isOpen = openChannelIds(facts.periods);
  if (
    "channelId" in place ? !isOpen.has(place.channelId) : place.kind === "everywhere" && !isPersonal
  )
    return anchor;
  const wanted = wantedOf(facts, place, side, anchor);
  if (wanted.sent.length + wanted.direct.length + wanted.moved.length > searchedMax) return anchor;
  const nearest = await findNearest(reader, who, side, anchor, wanted);
  if (nearest === undefined) return undefined;
  return side === "after" ? nearest - 1 : nearest + 1;
}

async function loadFacts(reader: Reader, who: OfPerson, place: UnreadPlace): Promise<Facts> {
  const { realmId, userId } = who;
  const hasDirect = place.kind === "everywhere" || place.kind === "direct";
  const [periods, marks, moved, conversations] = await Promise.all([
    listPeriods(reader, realmId, userId),
    listWatermarks(reader, realmId, userId),
    movedPairs(reader, realmId),
    hasDirect ? listConversations(reader, who) : [],
  ]);
  const all = place.kind === "conversation" ? [place.conversationId] : conversations;
  return { periods, marks, moved, conversations: all };
}

/**
 * Lines of messages, each with the nearest id at which a message may be read: channels that
 * messages were sent to, pairs of channels between which they were moved, and conversations.
 */
interface Wanted {
  sent: [channel: number, id: number][];
  moved: [origin: number, channel: number, id: number][];
  direct: [conversation: number, id: number][];
  scopes: number[];
}

function wantedOf(facts: Facts, place: UnreadPlace, side: Side, anchor: number): Wanted {
  const { periods, marks, moved, conversations } = facts;
  const near = (ranges: readonly IdRange[]) => nearestOutside(ranges, side, anchor);
  const unreadOf = (scope: number) => rangesAbove(scope, periods, marks.get(scope) ?? 0);
  const direct = near([{ after: marks.get(directScope) ?? 0, upTo: idMax }]);
  const wanted: Wanted = { sent: [], moved: [], direct: [], scopes: [] };
  if (conversations.length > 0) wanted.scopes.push(directScope);
  for (const id of conversations) wanted.direct.push([id, direct]);
  if ("channelId" in place) {
    const { channelId } = place;
    const origins = moved.get(channelId) ?? [];
    wanted.sent.push([channelId, near(unreadOf(channelId))]);
    for (const origin of origins) wanted.moved.push([origin, channelId, near(unreadOf(origin))]);
    wanted.scopes.push(channelId, ...origins);
  } else if (place.kind === "everywhere") addDelivered(wanted, facts, side, anchor);
  return wanted;
}

/** Adds all channels that messages were delivered from. */
function addDelivered(wanted: Wanted, facts: Facts, side: Side, anchor: number) {
  const { periods, marks, moved } = facts;
  const open = openChannelIds(periods);
  for (const channel of new Set(periods.map(({ channelId }) => channelId))) {
    const unread = open.has(channel) ? rangesAbove(channel, periods, marks.get(channel) ?? 0) : [];
    const id = nearestOutside([...unread, ...undelivered(periods, channel)], side, anchor);
    wanted.sent.push([channel, id]);
    wanted.scopes.push(channel);
  }
  // In a channel that the reader has left, or was never in, everything is read.
  const anywhere = nearestOutside([], side, anchor);
  for (const [channel, origins] of moved)
    if (!open.has(channel))
      for (const origin of origins) wanted.moved.push([origin, channel, anywhere]);
}

/** The ranges around somebody's periods in a channel. */
function undelivered(periods: Periods, channel: number): IdRange[] {
  const times = periodsIn(periods, channel)
    .map(({ fromMessage, toMessage }) => ({ after: fromMessage, upTo: toMessage ?? idMax }))
    .sort((a, b) => a.after - b.after);
  const starts = [...times.map(({ after }) => after), idMax];
  const ends = [0, ...times.map(({ upTo }) => upTo)];
  return starts.map((upTo, index) => ({ after: ends[index] ?? 0, upTo }));
}

/** The nearest id beside an anchor that is in none of some ranges. */
function nearestOutside(ranges: readonly IdRange[], side: Side, anchor: number): number {
  let id = side === "after" ? anchor + 1 : anchor - 1;
  const ordered = ranges.toSorted((a, b) =>
    side === "after" ? a.after - b.after : b.upTo - a.upTo,
  );
  for (const { after, upTo } of ordered)
    if (after < id && id <= upTo) id = side === "after" ? upTo + 1 : after;
  return id;
}

/** Lines in which the nearest message is looked up, each kind by a statement. */
type Kind = "sent" | "moved" | "direct" | "own" | "blocks";
type Values = OfPerson & { anchor: number; wanted: string };
const nearestIn = statements<Values, { id: number | null }[]>(10);

/** The nearest message that may be read, or an id before it; undefined where there is none. */
async function findNearest(
  reader: Reader,
  who: OfPerson,
  side: Side,
  anchor: number,
  { sent, moved, direct, scopes }: Wanted,
): Promise<number | undefined> {
  const isAfter = side === "after";
  const ask = async (kind: Kind, wanted: readonly number[][]) => {
    if (wanted.length === 0) return [];
    const run = nearestIn(`${kind} ${side}`, (db, t, given, dialect) => {
      const nearest = sql<number | null>`(${lookups[kind](t, given, dialect, isAfter)})`;
      return db.select({ id: nearest.mapWith(Number) }).from(wantedRows(dialect, given.wanted));
    });
    const rows = await run(reader, { ...who, anchor, wanted: JSON.stringify(wanted) });
    return rows.flatMap(({ id }) => id ?? []);
  };
  const block = blockOf(isAfter ? anchor + 1 : anchor - 1);
  const lists = await Promise.all([
    ask("sent", sent),
    ask("moved", moved),
    ask("direct", direct),
    ask("own", [[]]),
    ask(
      "blocks",
      scopes.map((scope) => [scope, block]),
    ).then((blocks) => blocks.map((one) => besideBlock(one, isAfter, anchor))),
  ]);
  const all = lists.flat();
  if (all.length === 0) return undefined;
  return isAfter ? Math.min(...all) : Math.max(...all);
}

/** The nearest id of a block that is beyond the anchor. */
const besideBlock = (block: number, isAfter: boolean, anchor: number) =>
  isAfter
    ? Math.max(block * idsPerBlock, anchor + 1)
    : Math.min((block + 1) * idsPerBlock, anchor) - 1;

/** The nearest of some numbers of a column from one on. */
function nearest(column: SQLWrapper, id: SQL, isAfter: boolean, from: Table, isWanted: SQL[]): SQL {
  return isAfter
    ? sql`select min(${column}) from ${from} where ${and(...isWanted, sql`${column} >= ${id}`)}`
    : sql`select max(${column}) from ${from} where ${and(...isWanted, sql`${column} <= ${id}`)}`;
}

type Lookup = (t: Schema, given: Given<Values>, dialect: Dialect, isAfter: boolean) => SQL;

const lookups: Record<Kind, Lookup> = {
  sent: ({ messages: m }, { realmId }, dialect, isAfter) =>
    nearest(m.id, wantedAt(dialect, 1), isAfter, m, [
      eq(m.realmId, realmId),
      sql`${m.sentChannelId} = ${wantedAt(dialect, 0)}`,
    ]),
  moved: ({ messages: m }, { realmId }, dialect, isAfter) =>
    nearest(m.id, wantedAt(dialect, 2), isAfter, m, [
      eq(m.realmId, realmId),
      ne(m.channelId, m.sentChannelId),
      sql`${m.sentChannelId} = ${wantedAt(dialect, 0)} and ${m.channelId} = ${wantedAt(dialect, 1)}`,
    ]),
  direct: ({ messages: m }, { realmId }, dialect, isAfter) =>
    nearest(m.id, wantedAt(dialect, 1), isAfter, m, [
      eq(m.realmId, realmId),
      sql`${m.conversationId} = ${wantedAt(dialect, 0)}`,
    ]),
  // Unread ones too: an anchor that is too near loses nothing, and the index does not tell them
  // apart.
  own: ({ messages: m }, { realmId, userId, anchor }, dialect, isAfter) => {
    const id = sql`${wholeNumber(dialect, anchor)} ${sql.raw(isAfter ? "+" : "-")} 1`;
    return nearest(m.id, id, isAfter, m, [eq(m.realmId, realmId), eq(m.senderId, userId)]);
  },
  blocks: ({ readBlocks: t }, { realmId, userId }, dialect, isAfter) =>
    nearest(t.block, wantedAt(dialect, 1), isAfter, t, [
      eq(t.realmId, realmId),
      eq(t.userId, userId),
      sql`${t.scope} = ${wantedAt(dialect, 0)}`,
    ]),
};
