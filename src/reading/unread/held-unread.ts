import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { wantedAt, wantedRows } from "../../../db/sql/json";
import { rowsLedTo } from "../../../db/sql/rows";
import { remembered } from "../../memory/remembered";
import { type HeldStretch, lineOf, UnreadIndex } from "./unread-index";

/**
 * So many messages that are new since the last look are taken in; where there are more, all is
 * forgotten instead.
 */
const newerMax = 60_000;
/**
 * Up to so many messages that are not held yet are all taken in at once, as mostly there are few.
 */
const rowsAtOnceMax = 2_048;
/**
 * Of more, how many ids a look further back goes at first, and how many messages it takes in at the
 * most.
 */
const idsPerLook = 8_192;
const olderMax = 16_384;
/** So many messages are held of all realms together. */
const heldMax = 1_000_000;
/** So many of one realm alone; where it has more, it begins anew. */
const heldOfOneMax = 2_000_000;

const indexOf = remembered(["messages"], async () => new UnreadIndex(), { isOneRead: true });

/**
 * Whether all that a register tells somebody has been brought into the realm's index as it is now.
 */
export async function isPrepared(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<boolean> {
  return (await indexOf(reader, realmId)).prepared.has(userId);
}

/**
 * A realm's index, until one of its messages is moved or deleted, with all of its messages up to
 * `newest`, the newest that the reader sees.
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
 * The messages to be held: so many of some stretches, as of a reader who sees the realm up to
 * `newest`.
 */
export interface Wanted {
  count: number;
  stretches: readonly HeldStretch[];
  newest: number;
}

/**
 * The id above which there are so many messages of some stretches, 0 where there are fewer, with
 * all of these in the index. Looks further back for those that it does not hold yet, and no
 * further. Undefined where others have seen more than the reader does; `between` runs between
 * looks.
 */
export async function holdNewest(
  reader: Reader,
  realmId: number,
  index: UnreadIndex,
  { count, stretches, newest }: Wanted,
  between: () => Promise<void> | void = () => undefined,
): Promise<number | undefined> {
  let [step, rowsMax] = [Number.POSITIVE_INFINITY, rowsAtOnceMax];
  for (;;) {
    const above = index.heldAbove(stretches);
    if (above === 0 || index.countAbove(stretches, above) >= count)
      return index.highestWith(count, stretches, above);
    const missing = missingAbove(index, stretches, Math.max(0, above - step));
    if (missing.some(({ upTo }) => upTo > newest)) return undefined;
    const taken = await takeOlder(reader, realmId, index, missing, rowsMax);
    if (taken === undefined || index.heldAbove(stretches) > above) return undefined;
    if (taken > rowsMax) step = Math.min(Math.ceil(step / 2), idsPerLook);
    else if (taken < step / 4) step *= 2;
    rowsMax = olderMax;
    await between();
  }
}

/** The parts of some stretches above an id that are not held, each line once. */
function missingAbove(
  index: UnreadIndex,
  stretches: readonly HeldStretch[],
  lowest: number,
): HeldStretch[] {
  const missing = new Map<number, HeldStretch>();
  for (const stretch of stretches) {
    const { line } = stretch;
    const upTo = index.fromOf(line);
    const after = Math.max(stretch.after, lowest);
    if (after < (missing.get(line)?.after ?? upTo)) missing.set(line, { line, after, upTo });
  }
  return [...missing.values()];
}

/**
 * Answers how many messages there were to take in; more than `rowsMax` are left. Undefined where
 * the index was let go of.
 */
async function takeOlder(
  reader: Reader,
  realmId: number,
  index: UnreadIndex,
  missing: readonly HeldStretch[],
  rowsMax: number,
): Promise<number | undefined> {
  const { upTo: newest } = index;
  const [channels, conversations] = [
    missing.filter(({ line }) => line > 0),
    missing.filter(({ line }) => line <= 0),
  ];
  const ask = (some: readonly HeldStretch[]) => ({
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
  for (const stretch of missing) {
    const older = byLine.get(stretch.line) ?? [];
    index.takeOlder(
      stretch,
      older.sort((a, b) => a.id - b.id),
    );
  }
  return rows.length;
}

/** The indices in use by realm, the one that was used last at the end. */
const held = new Map<number, UnreadIndex>();

function keepRecent(realmId: number, index: UnreadIndex) {
  held.delete(realmId);
  held.set(realmId, index);
  let size = 0;
  for (const one of held.values()) size += one.size;
  for (const [id, one] of held) {
    if (size <= (id === realmId ? heldOfOneMax : heldMax)) return;
    size -= one.size;
    one.clear();
    held.delete(id);
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

/** In no order: each of `wanted` says a line, after which id and up to which one. */
const selectOlder = (line: "sentChannelId" | "conversationId") =>
  statement((db, t, given: Given<{ realmId: number; wanted: string; limit: number }>, dialect) => {
    const isWanted = and(
      eq(t.messages.realmId, given.realmId),
      sql`${t.messages[line]} = ${wantedAt(dialect, 0)}`,
      sql`${t.messages.id} > ${wantedAt(dialect, 1)}`,
      sql`${t.messages.id} <= ${wantedAt(dialect, 2)}`,
    );
    const lateral = rowsLedTo(dialect, t.messages, isWanted);
    return db
      .select(lateral.columns(columnsOf(t)))
      .from(wantedRows(dialect, given.wanted))
      .crossJoin(lateral.rows)
      .where(lateral.where)
      .limit(given.limit);
  });

const selectSent = selectOlder("sentChannelId");
const selectDirect = selectOlder("conversationId");
