import type { Reader } from "../../../db/reader";
import type { OfPerson } from "../../core/context";
import { type Line, type UnreadPlace, unreadLines } from "./unread-lines";
import { type LineRange, type Page, readPages, type Side } from "./unread-pages";

/** Slice of a place's unread messages: the nearest to an anchor, on one side of it. */
interface UnreadSlice {
  side: Side;
  anchor: number;
  count: number;
}

/** Most messages of a line that are read at once. */
const stepMax = 8_192;
/** Factor by which each page of a line is larger than the one before. */
const stepGrowth = 4;

/** The rest of a line that is still to be searched. */
interface Progress extends LineRange {
  isOver: boolean;
}

/** Runs between two rounds of pages, and answers whether to continue. */
type Between = () => Promise<boolean> | boolean;

/**
 * The ids of somebody's unread messages of a place, the nearest to the anchor first. The cost is a
 * search in each line, and the messages between the anchor and the last result; neither further
 * unread messages nor read ones before matter. Undefined where `between` stops it, which is asked
 * when a page of each line is not enough.
 */
export async function findUnread(
  reader: Reader,
  who: OfPerson,
  place: UnreadPlace,
  slice: UnreadSlice,
  between?: Between,
): Promise<number[] | undefined> {
  return findUnreadIn(reader, who, place, await unreadLines(reader, who, place), slice, between);
}

/** Finds unread messages as `findUnread` does, in some lines of the place. */
export async function findUnreadIn(
  reader: Reader,
  who: OfPerson,
  place: UnreadPlace,
  lines: readonly Line[],
  { side, anchor, count }: UnreadSlice,
  between: Between = () => true,
): Promise<number[] | undefined> {
  const nearer =
    side === "after" ? (a: number, b: number) => a - b : (a: number, b: number) => b - a;
  let looking = lines
    .map((line): Progress => ({ line, ...startOf(line, side, anchor), isOver: false }))
    .filter(hasMore);
  let found: number[] = [];
  let step = Math.min(Math.max(1, Math.ceil(count / Math.max(1, looking.length))), stepMax);
  for (let isFirst = true; looking.length > 0; isFirst = false) {
    if (!isFirst && !(await between())) return undefined;
    const pages = await readPages(reader, who, { place, side, count: step }, looking);
    for (const { unread } of pages.values()) found.push(...unread);
    found = found.sort(nearer).slice(0, count);
    const last = found.length < count ? undefined : found.at(-1);
    looking = looking
      .map((progress) => goOn(progress, side, pages.get(progress.line)))
      .filter(
        (progress) =>
          hasMore(progress) && (last === undefined || nearer(edgeOf(progress, side), last) < 0),
      );
    step = Math.min(step * stepGrowth, stepMax);
  }
  return found;
}

const startOf = ({ after, upTo }: Line, side: Side, anchor: number) =>
  side === "after"
    ? { above: Math.max(after, anchor), upTo }
    : { above: after, upTo: Math.min(upTo, anchor - 1) };

const hasMore = ({ above, upTo, isOver }: Progress) => !isOver && above < upTo;

const edgeOf = ({ above, upTo }: Progress, side: Side) => (side === "after" ? above : upTo + 1);

function goOn(progress: Progress, side: Side, page: Page | undefined): Progress {
  if (!page) return { ...progress, isOver: true };
  const { edge, isOver } = page;
  return side === "after"
    ? { ...progress, above: edge, isOver }
    : { ...progress, upTo: edge - 1, isOver };
}
