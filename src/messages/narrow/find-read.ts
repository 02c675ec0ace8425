import type { Context, Person } from "../../core/context";
import { turn } from "../../core/turn";
import { readerOf } from "../../reading/queries";
import { findUnread } from "../../reading/unread/find-unread";
import { splitByReading } from "../../reading/unread/split-by-reading";
import { type Find, findAnyBriefly, findAnyPatiently, startOf } from "./find";
import { amongThese, type Look, lookThrough, type NarrowQuery } from "./sql";

/** So many looks are brief together. */
const briefLooksMax = 4;
/**
 * Number of messages that are looked at to find the ones that somebody has read, or has not read:
 * in the first round, and at most.
 */
const pageMin = 16;
const pageMax = 2_000;
const pageGrowth = 4;

/**
 * Manner in which messages are found that may have been read or not, and whether to go on after a
 * look: with a turn for others, or not.
 */
interface Manner {
  find: Find;
  goOn: () => Promise<boolean>;
}

function briefManner(): Manner {
  let looks = 0;
  return { find: findAnyBriefly, goOn: async () => ++looks < briefLooksMax };
}

const patientManner: Manner = {
  find: findAnyPatiently,
  async goOn() {
    await turn();
    return true;
  },
};

/**
 * Finds what a few statements can find that are sure to be quick ones. May be used within a
 * snapshot.
 */
export const findBriefly: Find = (ctx, query, look) =>
  query.reading === "any"
    ? findAnyBriefly(ctx, query, look)
    : findInManner(ctx, query, look, briefManner());

/** Finds all there is, with turns for others in between, see `findAnyPatiently`. */
export async function findPatiently(
  ctx: Context<Person>,
  query: NarrowQuery,
  look: Look,
): Promise<number[]> {
  if (query.reading === "any") return findAnyPatiently(ctx, query, look);
  return (await findInManner(ctx, query, look, patientManner)) ?? [];
}

async function findInManner(ctx: Context<Person>, query: NarrowQuery, look: Look, manner: Manner) {
  if (look.count === 0 || query.within?.length === 0) return [];
  const isWalked = query.reading === "unread" && !query.isSelective && look.side !== "at";
  return isWalked ? findAmongUnread(ctx, query, look, manner) : sortOut(ctx, query, look, manner);
}

/**
 * Goes from one unread message of the place to the next, and leaves out what the narrow does not
 * ask for.
 */
async function findAmongUnread(
  ctx: Context<Person>,
  query: NarrowQuery,
  look: Look,
  { goOn }: Manner,
) {
  const { side, anchor, count } = startOf(look);
  const found: number[] = [];
  let page = Math.min(count, pageMax);
  for (let next = anchor; ; page = Math.min(page * pageGrowth, pageMax)) {
    const ids = await findUnread(
      ctx.reader,
      readerOf(ctx),
      query.place,
      { side, anchor: next, count: page },
      goOn,
    );
    const last = ids?.at(-1);
    if (!ids) return undefined;
    if (last === undefined) return found;
    const wanted = amongThese(query, ids);
    found.push(...(await lookThrough(ctx, wanted, { side, anchor: next, count: ids.length })));
    if (found.length >= count || ids.length < page) return found.slice(0, count);
    if (!(await goOn())) return undefined;
    next = last;
  }
}

/**
 * Goes through the messages of the narrow, and leaves out read ones where unread ones are wanted,
 * and the other way round.
 */
async function sortOut(
  ctx: Context<Person>,
  query: NarrowQuery,
  look: Look,
  { find, goOn }: Manner,
) {
  const { reading } = query;
  const any: NarrowQuery = { ...query, reading: "any" };
  const lowest =
    reading === "unread" && look.side !== "at" ? await lowestUnread(ctx, query, goOn) : 0;
  if (lowest === undefined) return undefined;
  const found: number[] = [];
  let count = Math.min(Math.max(look.count, pageMin), pageMax);
  let next = look.side === "after" ? Math.max(look.anchor, lowest - 1) : look.anchor;
  for (let side = look.side; ; side = startOf(look).side) {
    const ids = await find(ctx, any, { side, anchor: next, count });
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
    if (found.length >= look.count || isOver) return found.slice(0, look.count);
    if (!(await goOn())) return undefined;
    next = last;
    count = Math.min(count * pageGrowth, pageMax);
  }
}

/**
 * The oldest unread message of a narrow's place; beyond all where there is none, undefined where it
 * takes too long.
 */
async function lowestUnread(ctx: Context<Person>, { place }: NarrowQuery, goOn: Manner["goOn"]) {
  const ids = await findUnread(
    ctx.reader,
    readerOf(ctx),
    place,
    { side: "after", anchor: 0, count: 1 },
    goOn,
  );
  return ids && (ids[0] ?? Number.MAX_SAFE_INTEGER);
}
