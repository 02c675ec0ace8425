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
export type CandidateRange = Omit<CandidateSlice, "most"> & { most?: number };

/** The next messages of a narrow beyond an anchor, found by testing the narrow's candidates. */
export async function nextInNarrow(
  ctx: Context<Person>,
  query: NarrowQuery,
  { most = candidatesMax, ...rest }: CandidateRange,
): Promise<Found> {
  const { candidates } = query;
  const slice = { most, ...rest };
  if (typeof candidates === "string")
    return foundIn(
      await testCandidates(ctx, query, { source: sources[candidates], match: "" }, slice),
      slice,
    );
  const index = searchIndexOf(ctx.reader.dialect);
  const match = index.matchText(candidates);
  return index.search(slice, (source, part) => testCandidates(ctx, query, { source, match }, part));
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
