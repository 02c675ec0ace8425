import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { isIn, wantedAt, wantedRows } from "../../../db/sql/json";
import { joinInOrder } from "../../../db/sql/rows";
import { listPeriods } from "../../core/reading-right/stored";
import { cached } from "../../memory/cached";
import { type IndexedRange, lineOf, UnreadIndex } from "./unread-index";

/**
 * Most new messages that are added to the index at a time; if there are more, the index is dropped
 * instead.
 */
const newerMax = 60_000;
/** Up to this number, all missing messages are added at once, because usually there are few. */
const rowsAtOnceMax = 2_048;
/**
 * For more, the range of ids that a step back reads at first, and the most messages that it adds.
 */
const idsPerStep = 4_096;
const olderMax = 4_096;
/** Most messages in memory, of all realms together. */
const indexedMax = 1_000_000;
/** Most messages in memory of one realm; beyond it the realm's index starts over. */
const indexedOfOneMax = 2_000_000;

const indexOf = cached(["messages"], async () => new UnreadIndex(), {
  isOneRead: true,
  renew: renewIndex,
});

/**
 * The index after some messages were deleted, moved or changed, without reading the others anew.
 */
async function renewIndex(
  before: UnreadIndex,
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<UnreadIndex | undefined> {
  const rows = await selectAmong(reader, { realmId, ids: JSON.stringify(ids) });
  return before.renewed(ids, rows);
}

/** Whether somebody has few unread messages, and the realm's present index has all of them. */
export async function isPrepared(reader: Reader, realmId: number, userId: number) {
  const index = await indexOf(reader, realmId);
  return index.isPreparedFor(userId, await listPeriods(reader, realmId, userId));
}

/**
 * A realm's index as of the last move or deletion of its messages, with all messages of its lines
 * up to `newest`, the newest that the reader sees.
 */
export async function unreadIndexAt(
  reader: Reader,
  realmId: number,
  newest: number,
): Promise<UnreadIndex> {
  const index = await indexOf(reader, realmId);
  keepRecent(realmId, index);
  index.upTo ??= newest;
  const after = index.upTo;
  if (newest <= after) return index;
  const rows = await selectNewer(reader, { realmId, after, upTo: newest, limit: newerMax + 1 });
  if (rows.length > newerMax) {
    index.clear();
    index.upTo = newest;
  } else index.takeNewer(after, newest, rows);
  return index;
}

/**
 * The messages to load: the newest of some ranges, for a reader who sees the realm up to
 * `newest`.
 */
export interface Wanted {
  count: number;
  ranges: readonly IndexedRange[];
  newest: number;
}

/**
 * Loads the newest messages of some ranges into the index; answers the id above which they are,
 * 0 where there are fewer than wanted. Reads back only as far as needed for those that are missing.
 * Undefined where the index already contains later messages than the reader sees; `between` runs
 * between steps.
 */
export async function loadNewest(
  reader: Reader,
  realmId: number,
  index: UnreadIndex,
  { count, ranges, newest }: Wanted,
  between: () => Promise<void> | void = () => undefined,
): Promise<number | undefined> {
  let [step, rowsMax] = [Number.POSITIVE_INFINITY, rowsAtOnceMax];
  for (;;) {
    const above = index.indexedAbove(ranges);
    if (above === 0 || index.countAbove(ranges, above) >= count)
      return index.highestWith(count, ranges, above);
    const missing = missingAbove(index, ranges, Math.max(0, above - step));
    if (missing.some(({ upTo }) => upTo > newest)) return undefined;
    const taken = await takeOlder(reader, realmId, index, missing, rowsMax);
    if (taken === undefined || index.indexedAbove(ranges) > above) return undefined;
    if (taken > rowsMax) step = Math.min(Math.ceil(step / 2), idsPerStep);
    else if (taken < step / 4) step *= 2;
    rowsMax = olderMax;
    await between();
  }
}

/** The parts of some ranges above an id that are not in the index, each line once. */
function missingAbove(
  index: UnreadIndex,
  ranges: readonly IndexedRange[],
  lowest: number,
): IndexedRange[] {
  const missing = new Map<number, IndexedRange>();
  for (const range of ranges) {
    const { line } = range;
    const upTo = index.fromOf(line);
    const after = Math.max(range.after, lowest);
    if (after < (missing.get(line)?.after ?? upTo)) missing.set(line, { line, after, upTo });
  }
  return [...missing.values()];
}

/**
 * Answers how many messages were missing; if more than `rowsMax`, some are left. Undefined where
 * the index was dropped.
 */
async function takeOlder(
  reader: Reader,
  realmId: number,
  index: UnreadIndex,
  missing: readonly IndexedRange[],
  rowsMax: number,
): Promise<number | undefined> {
  const { upTo: newest } = index;
  const [channels, conversations] = [
    missing.filter(({ line }) => line > 0),
    missing.filter(({ line }) => line <= 0),
  ];
  const ask = (some: readonly IndexedRange[]) => ({
    realmId,
    limit: rowsMax + 1,
    wanted: JSON.stringify(some.map(({ line, after, upTo }) => [Math.abs(line), after, upTo])),
  });
  const [sent, direct] = await Promise.all([
    channels.length > 0 ? selectSent(reader, ask(channels)) : [],
    conversations.length > 0 ? selectDirect(reader, ask(conversations)) : [],
  ]);
  const rows = [...sent, ...direct];
  if (index.upTo === undefined || index.upTo < (newest ?? 0)) return undefined;
  if (rows.length > rowsMax) return rows.length;
  const byLine = Map.groupBy(rows, lineOf);
  for (const range of missing) {
    const older = byLine.get(range.line) ?? [];
    index.takeOlder(
      range,
      older.sort((a, b) => a.id - b.id),
    );
  }
  return rows.length;
}

/** The indexes in use by realm, the most recently used at the end. */
const indexed = new Map<number, UnreadIndex>();

function keepRecent(realmId: number, index: UnreadIndex) {
  indexed.delete(realmId);
  indexed.set(realmId, index);
  let size = 0;
  for (const one of indexed.values()) size += one.size;
  for (const [id, one] of indexed) {
    if (size <= (id === realmId ? indexedOfOneMax : indexedMax)) return;
    size -= one.size;
    one.clear();
    indexed.delete(id);
  }
}

const columnsOf = ({ messages }: Schema) => ({
  id: messages.id,
  senderId: messages.senderId,
  readBySender: messages.readBySender,
  channelId: messages.channelId,
  sentChannelId: messages.sentChannelId,
  conversationId: messages.conversationId,
  topic: messages.topic,
  placedAt: messages.placedAt,
  mentionsAllOf: messages.mentionsAllOf,
});

const selectNewer = statement(
  (db, t, given: Given<{ realmId: number; after: number; upTo: number; limit: number }>) =>
    db
      .select(columnsOf(t))
      .from(t.messages)
      .where(
        and(
          eq(t.messages.realmId, given.realmId),
          gt(t.messages.id, given.after),
          lte(t.messages.id, given.upTo),
        ),
      )
      .orderBy(asc(t.messages.id))
      .limit(given.limit),
);

const selectAmong = statement((db, t, given: Given<{ realmId: number; ids: string }>, dialect) =>
  db
    .select(columnsOf(t))
    .from(t.messages)
    .where(and(eq(t.messages.realmId, given.realmId), isIn(dialect, t.messages.id, given.ids))),
);

/**
 * In any order: each item of `wanted` is a line, with the ids after which and up to which to read.
 */
const selectOlder = (line: "sentChannelId" | "conversationId") =>
  statement((db, t, given: Given<{ realmId: number; wanted: string; limit: number }>, dialect) => {
    const isWanted = and(
      eq(t.messages.realmId, given.realmId),
      sql`${t.messages[line]} = ${wantedAt(dialect, 0)}`,
      sql`${t.messages.id} > ${wantedAt(dialect, 1)}`,
      sql`${t.messages.id} <= ${wantedAt(dialect, 2)}`,
    );
    const lateral = joinInOrder(dialect, t.messages, isWanted);
    return db
      .select(lateral.columns(columnsOf(t)))
      .from(wantedRows(dialect, given.wanted))
      .crossJoin(lateral.rows)
      .where(lateral.where)
      .limit(given.limit);
  });

const selectSent = selectOlder("sentChannelId");
const selectDirect = selectOlder("conversationId");
