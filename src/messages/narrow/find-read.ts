import type { Context, Person } from "../../core/context";
import { turn } from "../../core/turns/turn";
import { readerOf } from "../../reading/queries";
import { findUnreadIn } from "../../reading/unread/find-unread";
import {
  type HeardTopics,
  linesHeard,
  linesOfTopics,
  loadHeardTopics,
} from "../../reading/unread/muting";
import { skipUnread } from "../../reading/unread/skip-unread";
import { splitByReading } from "../../reading/unread/split-by-reading";
import { unreadLines } from "../../reading/unread/unread-lines";
import { type FindIds, findAnyBriefly, findAnyPatiently, startOf } from "./find";
import { amongThese, type NarrowQuery, type Slice, selectIds } from "./sql";

/** Most rounds of a brief search. */
const briefRoundsMax = 4;
/**
 * Number of messages that are searched for read, or unread, ones: in the first round, and at most.
 */
const pageMin = 16;
const pageMax = 2_000;
const pageGrowth = 4;

/**
 * Manner of a search by read state: `goOn` decides after a round whether to continue, and may give
 * other work a turn.
 */
interface Manner {
  findIds: FindIds;
  goOn: () => Promise<boolean>;
}

function briefManner(): Manner {
  let roundCount = 0;
  return { findIds: findAnyBriefly, goOn: async () => ++roundCount < briefRoundsMax };
}

const patientManner: Manner = {
  findIds: findAnyPatiently,
  async goOn() {
    await turn();
    return true;
  },
};

/** Finds messages in a few statements that are certainly quick. May be used within a snapshot. */
export const findBriefly: FindIds = (ctx, query, slice) =>
  query.reading === "any"
    ? findAnyBriefly(ctx, query, slice)
    : findInManner(ctx, query, slice, briefManner());

/** Finds all messages, with turns for other work in between, see `findAnyPatiently`. */
export async function findPatiently(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
): Promise<number[]> {
  if (query.reading === "any") return findAnyPatiently(ctx, query, slice);
  return (await findInManner(ctx, query, slice, patientManner)) ?? [];
}

async function findInManner(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
  manner: Manner,
) {
  if (slice.count === 0 || query.within?.length === 0) return [];
  const goesByUnread = query.reading === "unread" && !query.isSelective && slice.side !== "at";
  return goesByUnread
    ? findAmongUnread(ctx, query, slice, manner)
    : filterByReading(ctx, query, slice, manner);
}

/** Lines with all unread messages of a query, without muted channels where these do not count. */
async function linesOf(ctx: Context<Person>, { place, muting }: NarrowQuery) {
  const lines = await unreadLines(ctx.reader, readerOf(ctx), place);
  return muting ? linesHeard(lines, muting) : lines;
}

/**
 * Goes from one unread message of the place to the next, and skips those that are not in the
 * narrow.
 */
async function findAmongUnread(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
  { goOn }: Manner,
) {
  const { side, anchor, count } = startOf(slice);
  const found: number[] = [];
  let page = Math.min(count, pageMax);
  let heard: HeardTopics = new Map();
  let roundCount = 0;
  for (let next = anchor; ; page = Math.min(page * pageGrowth, pageMax)) {
    const lines = await linesOf(ctx, query);
    // Most searches end before, so that they need not list any topics.
    if (query.muting && roundCount === briefRoundsMax)
      heard = await loadHeardTopics(ctx.reader, ctx.realm.id, lines, query.muting);
    roundCount += 1;
    const ids = await findUnreadIn(
      ctx.reader,
      readerOf(ctx),
      query.place,
      linesOfTopics(lines, heard),
      { side, anchor: next, count: page },
      goOn,
    );
    const last = ids?.at(-1);
    if (!ids) return undefined;
    if (last === undefined) return found;
    const wanted = amongThese(query, ids);
    found.push(...(await selectIds(ctx, wanted, { side, anchor: next, count: ids.length })));
    if (found.length >= count || ids.length < page) return found.slice(0, count);
    if (!(await goOn())) return undefined;
    next = last;
  }
}

/**
 * Goes through the messages of the narrow, and skips read ones where unread ones are wanted, or the
 * other way round.
 */
async function filterByReading(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
  { findIds, goOn }: Manner,
) {
  const { reading } = query;
  const any: NarrowQuery = { ...query, reading: "any" };
  const lowest =
    reading === "unread" && slice.side !== "at" ? await lowestUnread(ctx, query, goOn) : 0;
  if (lowest === undefined) return undefined;
  const found: number[] = [];
  let count = Math.min(Math.max(slice.count, pageMin), pageMax);
  let next = slice.side === "after" ? Math.max(slice.anchor, lowest - 1) : slice.anchor;
  for (let side = slice.side; ; side = startOf(slice).side) {
    const ids = await findIds(ctx, any, { side, anchor: next, count });
    if (!ids) return undefined;
    const kept = new Set(
      (await splitByReading(ctx.reader, readerOf(ctx), ids))[
        reading === "read" ? "read" : "unread"
      ].map(({ id }) => id),
    );
    found.push(...ids.filter((id) => kept.has(id)));
    const last = ids.at(-1);
    const isOver =
      side === "at" ||
      last === undefined ||
      ids.length < count ||
      (side !== "after" && last <= lowest);
    if (found.length >= slice.count || isOver) return found.slice(0, slice.count);
    if (!(await goOn())) return undefined;
    const following = kept.size > 0 ? last : await beyondUnread(ctx, query, side, last);
    if (following === undefined) return found;
    next = following;
    count = Math.min(count * pageGrowth, pageMax);
  }
}

/**
 * The anchor from which to go on after a page without any of the wanted messages: for read ones,
 * what is unread on the way is passed over. Undefined where nothing follows.
 */
async function beyondUnread(
  ctx: Context<Person>,
  query: NarrowQuery,
  side: Slice["side"],
  last: number,
): Promise<number | undefined> {
  if (query.reading !== "read") return last;
  return skipUnread(ctx.reader, readerOf(ctx), query, side === "after" ? "after" : "before", last);
}

/**
 * The oldest unread message of a narrow's place; `idAboveAll` where there is none, undefined where
 * the search takes too long.
 */
async function lowestUnread(ctx: Context<Person>, query: NarrowQuery, goOn: Manner["goOn"]) {
  const ids = await findUnreadIn(
    ctx.reader,
    readerOf(ctx),
    query.place,
    await linesOf(ctx, query),
    { side: "after", anchor: 0, count: 1 },
    goOn,
  );
  return ids && (ids[0] ?? Number.MAX_SAFE_INTEGER);
}
