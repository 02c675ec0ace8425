import { and, asc, desc, eq, ne, sql } from "drizzle-orm";
import { type Database, type Given, type Reader, statement, statements } from "../../../db/reader";
import type { Dialect, Schema } from "../../../db/schema";
import { isIn, listOf, parseNumbers, wantedAt, wantedRows, wantedText } from "../../../db/sql/json";
import { hexOf } from "../../../db/sql/values";
import type { OfPerson } from "../../core/context";
import { listPeriods } from "../../core/reading-right/stored";
import {
  blockKey,
  blockOf,
  directScope,
  hasBit,
  idsIn,
  idsPerBlock,
  loadBlocks,
} from "../read-blocks";
import { isWithinReach, scopeOf } from "../read-state";
import { idMax, type Line, listConversations, type UnreadPlace } from "./unread-lines";

/** Side of an anchor on which messages are read. */
export type Side = "before" | "after";

/** Range of a line that is still to be read: messages above one id and up to another. */
export interface LineRange {
  line: Line;
  above: number;
  upTo: number;
}

/**
 * The part of a range that was read: its end, which is the end of the line where nothing follows,
 * and its unread messages.
 */
export interface Page {
  edge: number;
  isOver: boolean;
  unread: number[];
}

/** Pages of a place: on which side of the anchor, and how many messages of each line. */
export interface Asked {
  place: UnreadPlace;
  side: Side;
  count: number;
}

/**
 * The next pages of some lines: a statement for each kind of line, and one or two for the read
 * state.
 */
export async function readPages(
  reader: Reader,
  who: OfPerson,
  asked: Asked,
  ranges: readonly LineRange[],
): Promise<Map<Line, Page>> {
  const byKind = Map.groupBy(ranges, ({ line }) => line.kind);
  const exceptions = byKind.get("exceptions") ?? [];
  byKind.delete("exceptions");
  const lists = [...byKind].flatMap(([kind, some]) =>
    [...Map.groupBy(some, isOfTopic)].map(([isTopic, ones]) =>
      readMessageLines(reader, who, asked, { kind, isTopic }, ones),
    ),
  );
  const [pages, others] = await Promise.all([
    Promise.all(lists).then((found) => judge(reader, who, asked, found.flat())),
    exceptions.length > 0 ? readExceptions(reader, who, asked, exceptions) : [],
  ]);
  return new Map([...pages, ...others]);
}

/**
 * Ids of messages in the order of the search. Ids of the user's own messages that count as read are
 * negative.
 */
interface Signed {
  range: LineRange;
  ids: number[];
}

interface WantedLines extends OfPerson {
  count: number;
  /** The lines with the bounds of their ranges. */
  wanted: string;
}

const lists = statements<WantedLines, { line: number; ids: string | null }[]>(16);

/** Lines that are read by one statement. */
interface Form {
  kind: Line["kind"];
  isTopic: boolean;
}

const isOfTopic = ({ line }: LineRange) => line.topicKey !== undefined;

async function readMessageLines(
  reader: Reader,
  who: OfPerson,
  { side, count }: Pick<Asked, "side" | "count">,
  form: Form,
  ranges: readonly LineRange[],
): Promise<Signed[]> {
  const run = lists(`${form.kind} ${side} ${form.isTopic}`, (db, t, given, dialect) =>
    listsOf(db, t, given, dialect, { ...form, side }),
  );
  const wanted = ranges.map(({ line, above, upTo }, i) => {
    const { scope, place, topicKey = "" } = line;
    return [i, scope, place, above, upTo, topicKey.toWellFormed()];
  });
  const rows = await run(reader, { ...who, count, wanted: JSON.stringify(wanted) });
  return rows.flatMap(({ line, ids }): Signed[] => {
    const range = ranges[line];
    return range ? [{ range, ids: parseNumbers(ids) }] : [];
  });
}

/**
 * The next direct messages of somebody after an id, oldest first, with the mark of those that count
 * as read because they are the user's own. The cost is a search in each conversation, and the
 * result.
 */
export async function nextDirect(reader: Reader, who: OfPerson, after: number, count: number) {
  const ranges = (await listConversations(reader, who)).map((place): LineRange => {
    const line: Line = { kind: "direct", scope: directScope, place, after, upTo: idMax };
    return { line, above: after, upTo: idMax };
  });
  const lists = await readMessageLines(
    reader,
    who,
    { side: "after", count },
    { kind: "direct", isTopic: false },
    ranges,
  );
  const messages = lists.flatMap(({ ids }) =>
    ids.map((id) => ({ id: Math.abs(id), isOwnAndRead: id < 0 })),
  );
  return messages.sort((a, b) => a.id - b.id).slice(0, count);
}

const lineNumber = (dialect: Dialect) => sql<number>`${wantedAt(dialect, 0)}`.mapWith(Number);

/** For each wanted line, the ids of its next messages. */
function listsOf(
  db: Database,
  t: Schema,
  given: Given<WantedLines>,
  dialect: Dialect,
  { kind, side, isTopic }: Form & { side: Side },
) {
  const { messages } = t;
  const isInTopic = sql`${messages.topicKey} = ${wantedText(5)}`;
  const [scope, place, above, upTo] = [1, 2, 3, 4].map((at) => wantedAt(dialect, at));
  const isInLine = {
    // A topic's messages are found by the index of topics, others by that of channels; the sum
    // prevents the use of the wrong index.
    home: isTopic
      ? sql`${messages.channelId} = ${place} and ${isInTopic}
          and (${messages.sentChannelId} + 0) = ${scope}`
      : sql`${messages.sentChannelId} = ${scope} and (${messages.channelId} + 0) = ${place}`,
    moved: and(
      sql`${messages.sentChannelId} = ${scope} and ${messages.channelId} = ${place}`,
      ne(messages.channelId, messages.sentChannelId),
      isTopic ? isInTopic : undefined,
    ),
    direct: sql`${messages.conversationId} = ${place}`,
    exceptions: sql`1 = 0`,
  }[kind];
  const isOwn = and(eq(messages.senderId, given.userId), eq(messages.readBySender, true));
  const next = db
    .select({
      signed: sql<number>`case when ${isOwn} then -${messages.id} else ${messages.id} end`.as(
        "signed",
      ),
    })
    .from(messages)
    .where(
      and(
        eq(messages.realmId, given.realmId),
        isInLine,
        sql`${messages.id} > ${above}`,
        sql`${messages.id} <= ${upTo}`,
      ),
    )
    .orderBy(side === "after" ? asc(messages.id) : desc(messages.id))
    .limit(given.count);
  return db
    .select({
      line: lineNumber(dialect),
      ids: sql<string | null>`(select ${listOf(dialect, sql`signed`)} from ${next} nearest)`,
    })
    .from(wantedRows(dialect, given.wanted));
}

/**
 * Unread messages among these: those of the user's own read messages whose bit is set, and the
 * other messages whose bit is not set.
 */
async function judge(
  reader: Reader,
  who: OfPerson,
  { count }: Asked,
  lists: readonly Signed[],
): Promise<[Line, Page][]> {
  const places = lists.flatMap(({ range, ids }) =>
    ids.map((id) => ({ scope: range.line.scope, id: Math.abs(id) })),
  );
  const blocks = await loadBlocks(reader, who, places, ({ scope }) => scope);
  const isUnread = (scope: number, signed: number) => {
    const id = Math.abs(signed);
    const bits = blocks.get(blockKey(scope, blockOf(id)));
    return (bits !== undefined && hasBit(bits, id)) === signed < 0;
  };
  return lists.map(({ range: { line, upTo }, ids }) => {
    const unread = ids.filter((id) => isUnread(line.scope, id)).map(Math.abs);
    return [line, { edge: Math.abs(ids.at(-1) ?? upTo), isOver: ids.length < count, unread }];
  });
}

const blockLists = statements<WantedLines, { line: number; blocks: string | null }[]>(2);

/** The unread messages among the exceptions. */
async function readExceptions(
  reader: Reader,
  who: OfPerson,
  asked: Asked,
  ranges: readonly LineRange[],
): Promise<[Line, Page][]> {
  const { side } = asked;
  const count = Math.ceil(asked.count / idsPerBlock);
  const run = blockLists(side, (db, t, given, dialect) => blocksOf(db, t, given, dialect, side));
  const wanted = ranges.map(({ line, above, upTo }, i) => [
    i,
    line.scope,
    blockOf(above + 1),
    blockOf(upTo),
  ]);
  const rows = await run(reader, { ...who, count, wanted: JSON.stringify(wanted) });
  const found = rows.flatMap(({ line, blocks }): [LineRange, Block[]][] => {
    const range = ranges[line];
    return range ? [[range, parseBlocks(blocks)]] : [];
  });
  const isStanding = await standingAmong(reader, who, asked.place, found);
  return found.map(([range, blocks]) => {
    const last = blocks.at(-1)?.block ?? 0;
    const edge =
      side === "after" ? Math.min(range.upTo, (last + 1) * idsPerBlock - 1) : last * idsPerBlock;
    const unread = idsOf(range, blocks).filter((id) => isStanding(range.line.scope, id));
    return [range.line, { edge, isOver: blocks.length < count, unread }];
  });
}

interface Block {
  block: number;
  bits: Buffer;
}

const idsOf = ({ above, upTo }: LineRange, blocks: readonly Block[]) =>
  blocks.flatMap(({ block, bits }) => idsIn(block, bits, above + 1, upTo));

const selectPlaced = statement(
  (db, { messages: t }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select({
        id: t.id,
        channelId: t.channelId,
        sentChannelId: t.sentChannelId,
        topicKey: t.topicKey,
        conversationId: t.conversationId,
      })
      .from(t)
      .where(and(eq(t.realmId, given.realmId), isIn(dialect, t.id, given.ids))),
);

/**
 * Finds out which of the messages still exist in the place, in channels that the user is subscribed
 * to.
 */
async function standingAmong(
  reader: Reader,
  who: OfPerson,
  place: UnreadPlace,
  found: readonly [LineRange, Block[]][],
) {
  const { realmId, userId } = who;
  const ids = found.flatMap(([range, blocks]) => idsOf(range, blocks));
  const periods = await listPeriods(reader, realmId, userId);
  const rows =
    ids.length === 0 ? [] : await selectPlaced(reader, { realmId, ids: JSON.stringify(ids) });
  const standing = rows.filter(
    (row) =>
      isWithinReach({ periods }, row) &&
      (!("channelId" in place) || row.channelId === place.channelId) &&
      (!("topicKey" in place) || row.topicKey === place.topicKey) &&
      (!("conversationId" in place) || row.conversationId === place.conversationId),
  );
  const scopes = new Map(standing.map((row) => [row.id, scopeOf(row)]));
  return (scope: number, id: number) => scopes.get(id) === scope;
}

/** For each wanted line its next blocks, as number and hexadecimal bits. */
function blocksOf(
  db: Database,
  { readBlocks: t }: Schema,
  given: Given<WantedLines>,
  dialect: Dialect,
  side: Side,
) {
  const [scope, first, last] = [1, 2, 3].map((at) => wantedAt(dialect, at));
  const next = db
    .select({ block: sql<string>`${t.block} || ':' || ${hexOf(dialect, t.bits)}`.as("block") })
    .from(t)
    .where(
      and(
        eq(t.realmId, given.realmId),
        eq(t.userId, given.userId),
        sql`${t.scope} = ${scope} and ${t.block} >= ${first} and ${t.block} <= ${last}`,
      ),
    )
    .orderBy(side === "after" ? asc(t.block) : desc(t.block))
    .limit(given.count);
  return db
    .select({
      line: lineNumber(dialect),
      blocks: sql<
        string | null
      >`(select ${listOf(dialect, sql`nearest.block`)} from ${next} nearest)`,
    })
    .from(wantedRows(dialect, given.wanted));
}

function parseBlocks(list: string | null): Block[] {
  const texts: string[] = JSON.parse(list ?? "[]");
  return texts.map((text) => {
    const [block = "", bits = ""] = text.split(":");
    return { block: Number(block), bits: Buffer.from(bits, "hex") };
  });
}
