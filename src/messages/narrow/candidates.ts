import { and, asc, desc, eq, sql } from "drizzle-orm";
import { statements } from "../../../db/reader";
import { listOf, parseNumbers } from "../../../db/sql/json";
import {
  type CandidateSlice,
  type CandidateSource,
  type CandidateValues,
  type Found,
  foundIn,
  nearestRows,
  type Tested,
} from "../../../db/sql/search/candidates";
import type { Match } from "../../../db/sql/search/match";
import { searchIndexOf } from "../../../db/sql/search/search-index";
import type { Context, Person } from "../../core/context";
import type { NarrowValues } from "./parts";
import { formOf, formsMax, type NarrowQuery, valuesOf, written } from "./sql";

/** Most candidates that one statement tests. */
export const candidatesMax = 2_000;

/** A slice of a narrow's candidates, by default up to `candidatesMax` of them. */
type CandidateRange = Omit<CandidateSlice, "most"> & { most?: number };

/** The next messages of a narrow beyond an anchor, found by testing the narrow's candidates. */
export async function nextInNarrow(
  ctx: Context<Person>,
  query: NarrowQuery,
  { most = candidatesMax, ...rest }: CandidateRange,
): Promise<Found> {
  const { candidates, indexedUpTo } = query;
  const slice = { most, ...rest };
  if (typeof candidates === "string") return nextAmong(ctx, query, sources[candidates], slice);
  if (indexedUpTo === undefined) return nextByIndex(ctx, query, candidates, slice);
  return isAboveIndex(slice, indexedUpTo)
    ? nextAmong(ctx, query, sources.messages, slice)
    : nextUpTo(ctx, query, { match: candidates, indexedUpTo }, slice);
}

async function nextAmong(
  ctx: Context<Person>,
  query: NarrowQuery,
  source: CandidateSource,
  slice: CandidateSlice,
): Promise<Found> {
  return foundIn(await testCandidates(ctx, query, { source, match: "" }, slice), slice);
}

function nextByIndex(
  ctx: Context<Person>,
  query: NarrowQuery,
  candidates: Match,
  slice: CandidateSlice,
): Promise<Found> {
  const index = searchIndexOf(ctx.reader.dialect);
  const match = index.matchText(candidates);
  return index.search(slice, (source, part) => testCandidates(ctx, query, { source, match }, part));
}

/** Whether the next messages beyond an anchor are newer than the indexed ones. */
const isAboveIndex = ({ side, anchor }: CandidateSlice, indexedUpTo: number) =>
  side === "after" ? anchor >= indexedUpTo : anchor > indexedUpTo + 1;

/**
 * The next messages up to the last indexed one: by the index, and among those that have changed
 * since they were indexed, because the index does not find these by what they are now.
 */
async function nextUpTo(
  ctx: Context<Person>,
  query: NarrowQuery,
  { match, indexedUpTo }: { match: Match; indexedUpTo: number },
  slice: CandidateSlice,
): Promise<Found> {
  // Changed messages are tested first, because they may be indexed between the two statements.
  const changed = await nextAmong(ctx, query, sources.changes, slice);
  const indexed = await nextByIndex(ctx, query, match, slice);
  const isAfter = slice.side === "after";
  const lasts = [changed.last, indexed.last, isAfter ? indexedUpTo : undefined];
  const tested = lasts.flatMap((last) => last ?? []);
  const last = isAfter ? Math.min(...tested) : Math.max(0, ...tested);
  const ids = [...new Set([...changed.ids, ...indexed.ids])]
    .filter((id) => (isAfter ? id <= last : id >= last))
    .sort((a, b) => (isAfter ? a - b : b - a))
    .slice(0, slice.count);
  return { ids, last: last === 0 ? undefined : last, isFar: indexed.isFar };
}

const tests = statements<NarrowValues & CandidateValues & { count: number }, Tested[]>(formsMax);

/** Tests which candidates of a source are in a narrow, in one statement. */
async function testCandidates(
  ctx: Context<Person>,
  query: NarrowQuery,
  { source, match }: { source: CandidateSource; match: string },
  { side, anchor, count, most }: CandidateSlice,
): Promise<Tested> {
  const run = tests(`${side} ${source.name} ${formOf(query)}`, (db, t, given, dialect) => {
    const candidates = db.$with("candidates").as(source.candidates(db, t, given, side));
    const { id } = t.messages;
    const order = side === "after" ? asc(id) : desc(id);
    const wanted = db
      .select({ id })
      .from(candidates)
      .crossJoin(t.messages)
      .where(and(eq(id, sql`candidates.candidate`), ...written(query, { t, dialect, given })))
      .orderBy(order)
      .limit(given.count)
      .as("wanted");
    const last = side === "after" ? sql`max(candidate)` : sql`min(candidate)`;
    const edge = source.edge?.(t, given, side) ?? null;
    return db
      .with(candidates)
      .select({
        ids: sql<string | null>`(select ${listOf(dialect, sql`wanted.id`)} from ${wanted})`,
        testedCount: sql<number>`count(*)`.mapWith(Number),
        last: sql<number | null>`${last}`.mapWith(Number),
        edge: sql<number | null>`${edge}`.mapWith(Number),
      })
      .from(candidates);
  });
  const [row] = await run(ctx.reader, { ...valuesOf(query), anchor, count, most, match });
  return row ?? { ids: null, testedCount: 0, last: null, edge: null };
}

const selectWithWords = statements<CandidateValues, { ids: string | null }[]>(4);

/**
 * The next messages beyond an anchor that the index finds, whether or not the actor may read them;
 * fewer than wanted at the end. Undefined where the searched part of the index contains too few of
 * them.
 */
export async function nextInIndex(
  ctx: Context,
  match: Match,
  { side, anchor, count }: CandidateRange,
): Promise<number[] | undefined> {
  const { nearest, matchText } = searchIndexOf(ctx.reader.dialect);
  const run = selectWithWords(`${nearest.name} ${side}`, (db, t, given, dialect) =>
    db
      .select({ ids: listOf(dialect, sql`candidate`) })
      .from(nearest.candidates(db, t, given, side).as("candidates")),
  );
  const [row] = await run(ctx.reader, {
    realmId: ctx.realm.id,
    anchor,
    most: count,
    match: matchText(match),
  });
  const ids = parseNumbers(row?.ids);
  const searchesAll = nearest.edge === undefined;
  return searchesAll || ids.length === count ? ids : undefined;
}

/** Sources of candidates in addition to the search index. */
const sources = {
  changes: {
    name: "changes",
    candidates: (db, { searchChanges: changes }, given, side) =>
      nearestRows(
        db,
        {
          rows: changes,
          id: sql`${changes.messageId}`,
          where: eq(changes.realmId, given.realmId),
        },
        given,
        side,
      ),
  },
  reactions: {
    name: "reactions",
    candidates: (db, { reactions }, given, side) =>
      nearestRows(
        db,
        {
          rows: reactions,
          id: sql`${reactions.messageId}`,
          where: eq(reactions.realmId, given.realmId),
          isDistinct: true,
        },
        given,
        side,
      ),
  },
  messages: {
    name: "messages",
    candidates: (db, { messages }, given, side) =>
      nearestRows(
        db,
        { rows: messages, id: sql`${messages.id}`, where: eq(messages.realmId, given.realmId) },
        given,
        side,
      ),
  },
} satisfies Record<string, CandidateSource>;
