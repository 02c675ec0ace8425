export type MediaKind = "picture" | "film" | "sound";

const film = /\.(?:mp4|mov|webm)$/i;
const sound = /\.(?:aac|flac|mp3|wav)$/i;

/**
 * The kind of a file, according to the ending of its address. A shown file of no other kind is a
 * picture.
 */
export function mediaKind(address: string): MediaKind {
  if (film.test(address)) return "film";
  return sound.test(address) ? "sound" : "picture";
}

/** Whether an address is that of a file uploaded to this server. */
export const isFileAddress = (address: string): boolean =>
  address.startsWith("/user_uploads/") && !/[\s\\]|\/\.\.?(?:\/|$)/.test(address);

/** The name of a file, from its address. */
export function nameOfFile(address: string): string {
  const last = address.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** A place in the window, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The least number of pixels that a finger must move for a step. */
const swipeMin = 48;

/**
 * The step for a swipe from one point to another: to the next file against the reading direction,
 * to the previous one along it; undefined if the swipe is vertical or short.
 */
export function swipeBetween(from: Point, to: Point, isFromRight: boolean): 1 | -1 | undefined {
  const [across, along] = [to.x - from.x, to.y - from.y];
  if (Math.abs(across) < swipeMin || Math.abs(across) < 2 * Math.abs(along)) return undefined;
  return across < 0 === isFromRight ? -1 : 1;
}

/**
 * The index of the file to show after one was removed: the file that follows it, or the last one.
 */
export function placeAfter<One>(
  before: readonly One[],
  index: number,
  after: readonly One[],
  isSame: (one: One, other: One) => boolean,
): number {
  const rest = [...before.slice(index), ...before.slice(0, index).reverse()];
  for (const one of rest) {
    const at = after.findIndex((other) => isSame(one, other));
    if (at >= 0) return at;
  }
  return 0;
}

/** Zoom levels of a picture; at 1 the whole picture is visible. */
export const zooms = [1, 1.5, 2, 3, 4, 6, 8] as const;

/** The next or previous zoom level. */
export function zoomAfter(zoom: number, step: 1 | -1): number {
  const at = zooms.findIndex((one) => one >= zoom);
  const next = Math.min(Math.max((at < 0 ? zooms.length - 1 : at) + step, 0), zooms.length - 1);
  return zooms[next] ?? 1;
}
