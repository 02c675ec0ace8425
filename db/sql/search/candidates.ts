import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database, Given } from "../../reader";
import type { Schema } from "../../schema";
import { parseNumbers } from "../json";

/** The side of an anchor on which candidates are searched. */
type CandidateSide = "before" | "after";

/** Values of a query that searches candidates. */
export interface CandidateValues {
  realmId: number;
  anchor: number;
  /** Highest number of candidates. */
  most: number;
  /** Text from `SearchIndex.matchText`; empty for sources other than the search index. */
  match: string;
}

/** A source of candidates: ids of messages that may be in a narrow. */
export interface CandidateSource {
  /** Unique name for the statements of this source. */
  readonly name: string;
  /**
   * The candidates beyond the anchor, in a column `candidate`. The nearest to the anchor is first.
   */
  candidates(
    db: Database,
    t: Schema,
    given: Given<CandidateValues>,
    side: CandidateSide,
  ): ReturnType<typeof nearestRows>;
  /**
   * The id of the last message that the source has searched, if it found too few candidates and
   * others lie beyond that message. A source without `edge` searches all messages.
   */
  edge?(t: Schema, given: Given<CandidateValues>, side: CandidateSide): SQL;
}

/** The condition that an id lies beyond the anchor. */
export const isBeyond = (id: SQL, { anchor }: Given<CandidateValues>, side: CandidateSide): SQL =>
  side === "after" ? sql`${id} > ${anchor}` : sql`${id} < ${anchor}`;

/** The order of ids with the nearest to the anchor first. */
export const byNearness = (id: SQL, side: CandidateSide): SQL =>
  side === "after" ? sql`${id} asc` : sql`${id} desc`;

/** A query for the candidates among some rows beyond the anchor, the nearest first. */
export function nearestRows(
  db: Database,
  {
    rows,
    id,
    where,
    isDistinct = false,
  }: { rows: SQLWrapper; id: SQL; where: SQL | undefined; isDistinct?: boolean },
  given: Given<CandidateValues>,
  side: CandidateSide,
) {
  const selected = { candidate: sql<number>`${id}`.as("candidate") };
  return (isDistinct ? db.selectDistinct(selected) : db.select(selected))
    .from(sql`${rows}`)
    .where(and(where, isBeyond(id, given, side)))
    .orderBy(byNearness(id, side))
    .limit(given.most);
}

/** A slice of the candidates beyond an anchor. */
export interface CandidateSlice {
  side: CandidateSide;
  anchor: number;
  /** Number of wanted messages. */
  count: number;
  /** Highest number of candidates that one statement tests. */
  most: number;
  /** Whether to continue with the index of all messages; see `Found`. */
  isFar?: boolean;
}

/** Answer of one statement that tests candidates. */
export interface Tested {
  /** The ids of the matching messages, as a list from `listOf`. */
  ids: string | null;
  testedCount: number;
  last: number | null;
  /** The answer of the source's `edge`; null where there are no more candidates. */
  edge: number | null;
}

/** The nearest candidates, and the matching ones among them. */
export interface Found {
  ids: number[];
  /** The last candidate that was tested; undefined at the end. */
  last: number | undefined;
  /**
   * Whether the search index of all messages was used, because too few of the nearest messages
   * matched.
   */
  isFar: boolean;
}

/** Candidates found by one statement that tested up to `most` of them. */
export const foundIn = (
  { ids, testedCount, last }: Tested,
  { most }: Pick<CandidateSlice, "most">,
): Found => ({
  ids: parseNumbers(ids),
  last: testedCount < most ? undefined : (last ?? undefined),
  isFar: false,
});
