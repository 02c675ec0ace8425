import type { Context, Person } from "../../core/context";
import { listPeriods } from "../../core/reading-right/stored";
import { turn, turnOf } from "../../core/turns/turn";
import { newestMessageId } from "../../people/users/queries";
import { filterReadable, findPlaces, type PlacedMessage, readerOf } from "../../reading/queries";
import { isReceived } from "../../reading/read-state";
import { type MessageSize, sizeInAll } from "../../reading/sizes";
import { readFirstMessages } from "../../reading/texts";
import { holdsOf } from "../search/document";
import { catchUp, readIndexed } from "../search/indexing";
import { candidatesMax, nextInIndex, nextInNarrow } from "./candidates";
import {
  amongThese,
  type NarrowQuery,
  nearIdsMax,
  type Slice,
  selectIds,
  selectIdsNear,
} from "./sql";

/** An id above all messages. */
export const idAboveAll = Number.MAX_SAFE_INTEGER;
/**
 * Number of listed messages that are read directly, and how many at a time; for longer lists the
 * index is searched.
 */
const readMax = 2_000;
const readAtOnce = 64;

/**
 * Finds ids, the nearest to the anchor first; undefined where that could block other work for too
 * long.
 */
export type FindIds = (
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
) => Promise<number[] | undefined>;

/**
 * Finds messages, read or unread, with one statement that is certainly quick. May be used within a
 * snapshot.
 */
export const findAnyBriefly: FindIds = async (ctx, query, slice) => {
  const { side, count } = slice;
  if (count === 0 || query.within?.length === 0) return [];
  if (query.strategy === "indexed") return undefined;
  if (query.strategy === "direct" || side === "at") return selectIds(ctx, query, slice);
  if (query.candidates !== "reactions") return findAround(ctx, query, slice);
  const { ids, last } = await nextInNarrow(ctx, query, startOf(slice));
  return ids.length === count || last === undefined ? ids : undefined;
};

async function findAround(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
): Promise<number[] | undefined> {
  const { side, anchor, count } = slice;
  const ids = await selectIdsNear(ctx, query, slice);
  if (ids.length === count || (side === "before" && anchor <= nearIdsMax)) return ids;
  const newest = await newestMessageId(ctx.reader, ctx.realm.id);
  const isAll =
    side === "newest" ? newest <= nearIdsMax : side === "after" && newest <= anchor + nearIdsMax;
  return isAll ? ids : undefined;
}

/** The beginning of a slice, and its direction. */
export const startOf = ({ side, anchor, count }: Slice) =>
  ({
    side: side === "after" ? "after" : "before",
    anchor: side === "newest" ? idAboveAll : side === "at" ? anchor + 1 : anchor,
    count,
  }) as const;

/**
 * Finds all messages, read or unread, in any number of statements, with turns for other work
 * between them. Each message is checked as of the moment when it is read. Not within a snapshot.
 * Before, the index must be up to date, or the query must have `indexedUpTo`.
 */
export async function findAnyPatiently(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
): Promise<number[]> {
  if (slice.count === 0 || query.within?.length === 0) return [];
  // Candidates come nearest first, too, so a second search around the anchor would find no more.
  if (query.strategy === "newestFirst" && slice.side !== "at")
    return findAmongCandidates(ctx, query, slice);
  const briefly = await findAnyBriefly(ctx, query, slice);
  if (briefly) return briefly;
  if (slice.side === "at") return findListed(ctx, amongThese(query, [slice.anchor]), slice);
  if (isReadItself(query)) return findListed(ctx, query, slice);
  return (await findByIndexOnly(ctx, query, slice)) ?? findAmongCandidates(ctx, query, slice);
}

/**
 * Messages found by the index alone. A reader may usually read most of them, so filtering the
 * others takes less time than finding the places where they may read. Undefined where the index
 * does not find enough.
 */
async function findByIndexOnly(ctx: Context<Person>, { indexOnly }: NarrowQuery, slice: Slice) {
  const { reader, realm } = ctx;
  const { count, ...start } = startOf(slice);
  const most = count + Math.ceil(count / 8);
  if (!indexOnly || most > candidatesMax) return undefined;
  const ids = await nextInIndex(ctx, indexOnly.match, { ...start, count: most });
  if (!ids) return undefined;
  const who = readerOf(ctx);
  const messages = await placesOf(ctx, ids);
  const readable = await filterReadable(reader, who, messages);
  const periods = await listPeriods(reader, realm.id, who.userId);
  const wanted = indexOnly.isPersonal
    ? readable.filter((message) => isReceived({ periods }, message))
    : readable;
  return wanted.length >= count || ids.length < most
    ? wanted.slice(0, count).map(({ id }) => id)
    : undefined;
}

/** Bytes of the found messages that are read as a whole while their places are looked up. */
const readWithPlacesMax = 262_144;

/**
 * Places of messages. The first ones are read as a whole and cached, because they are about to be
 * shown; no more of them than one turn of the event loop may read.
 */
async function placesOf(
  { reader, realm }: Context,
  ids: readonly number[],
): Promise<PlacedMessage[]> {
  const limit = {
    countMin: 0,
    sizeBytesMax: readWithPlacesMax,
    sizeBytesOf: sizeInAll,
    measured: new Map<number, MessageSize>(),
  };
  const { messages, count } = await readFirstMessages(reader, realm.id, ids, limit);
  const others = new Map(
    (await findPlaces(reader, realm.id, ids.slice(count))).map((place) => [place.id, place]),
  );
  return [
    ...messages.map(({ message }) => message),
    ...ids.slice(count).flatMap((id) => others.get(id) ?? []),
  ];
}

/** Whether reading the messages directly is faster than searching the index. */
const isReadItself = ({ strategy, within }: NarrowQuery) =>
  strategy === "indexed" && within !== undefined && within.length <= readMax;

async function findAmongCandidates(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
): Promise<number[]> {
  const { count } = slice;
  const { side, anchor } = startOf(slice);
  const [lowest, highest] = endsOf(query.within);
  const found: number[] = [];
  // Most candidates of an index are usually in the narrow.
  let most = Math.min(candidatesMax, count + Math.ceil(count / 4) + 25);
  let isFar = false;
  let next: number | undefined =
    side === "after" ? Math.max(anchor, lowest - 1) : Math.min(anchor, highest + 1);
  while (next !== undefined && found.length < count) {
    const batch = await nextInNarrow(ctx, query, {
      side,
      anchor: next,
      count: count - found.length,
      most,
      isFar,
    });
    const { ids, last } = batch;
    most = candidatesMax;
    isFar = batch.isFar;
    found.push(...ids);
    const isOver = last === undefined || (side === "after" ? last >= highest : last <= lowest);
    next = isOver ? undefined : last;
    if (next !== undefined && found.length < count) await turn();
  }
  return found;
}

function endsOf(ids: readonly number[] | undefined): [lowest: number, highest: number] {
  if (!ids) return [0, idAboveAll - 1];
  return ids.reduce<[number, number]>(
    ([low, high], id) => [Math.min(low, id), Math.max(high, id)],
    [idAboveAll, 0],
  );
}

async function findListed(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
): Promise<number[]> {
  const { candidates, within = [] } = query;
  const { side, anchor, count } = startOf(slice);
  const isAfter = side === "after";
  const ordered = within
    .filter((id) => (isAfter ? id > anchor : id < anchor))
    .sort((a, b) => (isAfter ? a - b : b - a));
  const found: number[] = [];
  for (let from = 0; from < ordered.length && found.length < count; from += readAtOnce) {
    const some = amongThese(query, ordered.slice(from, from + readAtOnce));
    const ids = await selectIds(ctx, some, { side, anchor, count: readAtOnce });
    const messages = await readIndexed(ctx.reader, ctx.realm.id, ids);
    const holding = new Set(
      messages
        .filter((one) => typeof candidates === "string" || holdsOf(candidates, one))
        .map(({ id }) => id),
    );
    found.push(...ids.filter((id) => holding.has(id)).slice(0, count - found.length));
    if (from + readAtOnce < ordered.length && found.length < count) await turn();
  }
  return found;
}

/**
 * Brings the search index up to date, if the narrow uses it. False when it will lack the newest
 * messages for some time, so that some may not be found by it.
 */
export async function prepareIndex(ctx: Context<Person>, query: NarrowQuery): Promise<boolean> {
  if (query.strategy === "direct" || typeof query.candidates === "string" || isReadItself(query))
    return true;
  const isReady = await catchUp(ctx.app, ctx.reader, ctx.realm.id);
  await turnOf(ctx.longWork);
  return isReady;
}
