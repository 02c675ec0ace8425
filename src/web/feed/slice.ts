/**
 * The part of a feed's messages that is in the document, by ids, because ids stay valid when older
 * messages are loaded or messages are removed.
 */
export interface Bounds {
  readonly first: number;
  /** Infinity if the part extends to the end, including messages that arrive there. */
  readonly last: number;
  /** The number of messages between them when they were set. */
  readonly count: number;
}

/** Indexes in a list of messages: from `start` to before `end`. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

type Messages = readonly { readonly id: number }[];

export const rowsMax = 120;
const rowsFirst = 40;
const rowsStep = 20;

/** The index of the first message whose id is not less than this one. */
export function placeOfId(messages: Messages, id: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((messages[middle]?.id ?? Number.POSITIVE_INFINITY) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The bounds of a slice. */
export function boundsOf(messages: Messages, { start, end }: Slice): Bounds {
  return {
    count: end - start,
    first: messages[start]?.id ?? 0,
    last: end >= messages.length ? Number.POSITIVE_INFINITY : (messages[end - 1]?.id ?? 0),
  };
}

/** The part that is drawn first: around a message, or at the end. */
export function firstBounds(messages: Messages, aroundId: number | undefined): Bounds {
  const { length } = messages;
  const middle = aroundId === undefined ? length : placeOfId(messages, aroundId);
  const end = Math.min(length, Math.max(middle + rowsFirst / 2, rowsFirst));
  return boundsOf(messages, { start: Math.max(0, end - rowsFirst), end });
}

/**
 * The slice within bounds. At the end of the feed it keeps its number of rows, because each row
 * costs time whenever a message arrives. Elsewhere it keeps its beginning.
 */
export function sliceOf(messages: Messages, bounds: Bounds, isAtEnd: boolean): Slice {
  const start = placeOfId(messages, bounds.first);
  const end = placeOfId(messages, bounds.last + 1);
  return isAtEnd
    ? { start: Math.max(start, end - Math.max(bounds.count, rowsFirst)), end }
    : { start, end: Math.min(end, start + rowsMax) };
}

/**
 * Bounds that are extended at one end, and shortened at the other so that the slice does not become
 * too long.
 */
export function extended(messages: Messages, slice: Slice, end: "older" | "newer"): Bounds {
  if (end === "older") {
    const start = Math.max(0, slice.start - rowsStep);
    return boundsOf(messages, { start, end: Math.min(slice.end, start + rowsMax) });
  }
  const last = Math.min(messages.length, slice.end + rowsStep);
  return boundsOf(messages, { start: Math.max(slice.start, last - rowsMax), end: last });
}
