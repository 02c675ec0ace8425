import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { lastBefore } from "../../reading/last-before";
import { findIndexedUpTo } from "../search/indexing";
import { type FindIds, prepareIndex } from "./find";
import { findPatiently } from "./find-read";
import { withoutMuted } from "./muted";
import type { NarrowTerm } from "./narrow";
import { type NarrowQuery, narrowQuery, type Side } from "./sql";

export const messagesPerRequestMax = 5_000;
/** An anchor above every message: `newest` on the wire. */
const anchorNewest = 10_000_000_000_000_000;

/** Requested range of messages. */
interface RangeInput {
  anchor?: string | number | undefined;
  /** The moment for the anchor `date`, as ISO 8601. */
  anchorDate?: string | undefined;
  includeAnchor?: boolean | undefined;
  numBefore?: number | undefined;
  numAfter?: number | undefined;
  narrow?: readonly NarrowTerm[] | undefined;
  useFirstUnreadAnchor?: boolean | undefined;
}

/** The messages of a range by id, oldest first, and facts about the range. */
export interface FoundRange {
  query: NarrowQuery;
  ids: number[];
  /**
   * False where the search index lacks the newest messages for some time: they are not among the
   * ids.
   */
  isIndexed: boolean;
  ends: { anchor: number; found_anchor: boolean; found_oldest: boolean; found_newest: boolean };
}

/**
 * The ids of a narrow's messages around an anchor that the actor may read, oldest first; with the
 * anchor as id, and whether the range ends there. A search does not wait for an index that is far
 * behind; for other narrows, the messages that it lacks are tested. Refuses too many messages at
 * once, and an invalid narrow or anchor.
 */
export async function readRange(ctx: Context<Person>, input: RangeInput): Promise<FoundRange> {
  const asked = await readQuery(ctx, input);
  const isReady = await prepareIndex(ctx, asked);
  const query = isReady ? asked : await beyondIndex(ctx, asked);
  const range = await findRange(ctx, input, query, findPatiently);
  if (!range) throw new Error("A patient search has an end.");
  if (isReady || query.strategy !== "indexed") return range;
  return { ...range, isIndexed: false, ends: { ...range.ends, found_newest: false } };
}

/**
 * The query for an index that lacks messages. If the index only makes it faster, the messages that
 * it lacks are tested too, so that none is missing.
 */
const beyondIndex = async ({ reader, realm }: Context, query: NarrowQuery): Promise<NarrowQuery> =>
  query.strategy === "indexed"
    ? query
    : { ...query, indexedUpTo: await findIndexedUpTo(reader, realm.id) };

/** Range read by `findIds`; undefined where it does not find all of them. */
export async function readRangeBy(
  ctx: Context<Person>,
  input: RangeInput,
  findIds: FindIds,
): Promise<FoundRange | undefined> {
  return findRange(ctx, input, await readQuery(ctx, input), findIds);
}

function readQuery(
  ctx: Context<Person>,
  { includeAnchor = true, numBefore = 0, numAfter = 0, narrow }: RangeInput,
) {
  if (numBefore + numAfter > messagesPerRequestMax) throw tooMany();
  if (!includeAnchor && numBefore > 0 && numAfter > 0)
    throw badRequest("The anchor can only be left out at an end of the range.");
  return narrowQuery(ctx, narrow ?? []);
}

async function findRange(
  ctx: Context<Person>,
  input: RangeInput,
  query: NarrowQuery,
  findIds: FindIds,
): Promise<FoundRange | undefined> {
  const { includeAnchor = true, numBefore = 0, numAfter = 0 } = input;
  const anchor = await resolveAnchor(ctx, input, query, findIds);
  if (anchor === undefined) return undefined;
  const isAtNewest = anchor >= anchorNewest;
  const readSide = (side: Side, count: number) => findIds(ctx, query, { side, anchor, count });
  const before = await readSide(isAtNewest ? "newest" : "before", numBefore);
  // Most requests are for the newest messages: there is nothing beyond them to be read.
  const at = isAtNewest ? [] : await readSide("at", includeAnchor ? 1 : 0);
  const after = isAtNewest ? [] : await readSide("after", numAfter);
  if (!before || !at || !after) return undefined;
  return {
    query,
    isIndexed: true,
    ids: [...before.reverse(), ...at, ...after],
    ends: {
      anchor,
      found_anchor: at.length === 1,
      found_oldest: anchor === 0 || before.length < numBefore,
      found_newest: isAtNewest || after.length < numAfter,
    },
  };
}

export const tooMany = () =>
  badRequest(`Too many messages requested: at most ${messagesPerRequestMax} at a time.`);

/** The message id of an anchor; 0 and 10^16 represent the two ends. */
async function resolveAnchor(
  ctx: Context<Person>,
  { anchor, anchorDate, narrow, useFirstUnreadAnchor }: RangeInput,
  query: NarrowQuery,
  findIds: FindIds,
): Promise<number | undefined> {
  if (useFirstUnreadAnchor || anchor === "first_unread")
    return firstUnread(ctx, await withoutMuted(ctx, query, narrow ?? []), findIds);
  if (anchor === "newest") return anchorNewest;
  if (anchor === "oldest") return 0;
  if (anchor === "date") return firstSince(ctx, query, findIds, readDate(anchorDate));
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.");
  if (typeof anchor === "string" && !/^-?\d+(\.0+)?(e\+?\d+)?$/i.test(anchor))
    throw badRequest("Invalid anchor.");
  return Math.min(Math.max(Number(anchor), 0), anchorNewest);
}

/** The first unread message of a query; the newest end where there is none. */
function firstUnread(
  ctx: Context<Person>,
  query: NarrowQuery,
  findIds: FindIds,
): Promise<number | undefined> | number {
  return query.reading === "read"
    ? anchorNewest
    : firstAfter(ctx, { ...query, reading: "unread" }, findIds, 0);
}

/** The first message of a narrow after an id; the newest end where there is none. */
async function firstAfter(ctx: Context<Person>, query: NarrowQuery, findIds: FindIds, id: number) {
  const found = await findIds(ctx, query, { side: "after", anchor: id, count: 1 });
  return found && (found[0] ?? anchorNewest);
}

/** A date of ISO 8601, perhaps with a time, and that perhaps with its zone. */
const isoDate = /^\d{4}-\d\d-\d\d([t ]\d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * UNIX seconds. A time without a zone is in UTC, because a client cannot know the server's zone.
 */
function readDate(date = ""): number {
  const [, time, , , zone] = isoDate.exec(date) ?? [];
  const milliseconds = Date.parse(time !== undefined && zone === undefined ? `${date}Z` : date);
  if (Number.isNaN(milliseconds) || !isoDate.test(date))
    throw badRequest(
      "Send the date of the anchor as anchor_date, in ISO 8601: 2026-11-21T15:00:00Z.",
    );
  return Math.ceil(milliseconds / 1000);
}

/** The first message of a narrow that was sent at a moment or later. */
async function firstSince(
  ctx: Context<Person>,
  query: NarrowQuery,
  findIds: FindIds,
  seconds: number,
) {
  return firstAfter(ctx, query, findIds, await lastBefore(ctx.reader, ctx.realm.id, seconds));
}
