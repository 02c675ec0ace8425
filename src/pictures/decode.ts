import { ApiError, rateLimitHit } from "../core/errors";
import { cutSquare, withoutMetadata } from "./png";
import { badImage } from "./refusal";

/** What cameras take in one picture: with four bytes for each of them, it takes 96 MB while it is decoded. */
export const pixelsMax = 24_000_000;
/** Pictures that wait for their turn, each with its file in memory; further ones are refused. */
const waitingMax = 32;
const waitSeconds = 5;
const originalSide = 1_000;
const bestPacking = 6;
/** For what is unpacked again at once. */
const quickly = { compressionLevel: 1 };
const formats = new Set(["png", "jpeg", "webp", "gif"]);

let lastTurn: Promise<unknown> = Promise.resolve();
let waiting = 0;

const endTurn = () => {
  waiting -= 1;
};

/** One picture is decoded at a time, on a thread of its own: each takes much memory and a core while it lasts. */
function inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
  if (waiting >= waitingMax) throw rateLimitHit(waitSeconds);
  waiting += 1;
  const turn = lastTurn.then(make).catch((error: unknown) => {
    throw error instanceof ApiError ? error : badImage();
  });
  lastTurn = turn.then(endTurn, endTurn);
  return turn;
}

/**
 * Opens a picture, of which so far only the head was read: so many pixels, and formats that only some systems know, are
 * refused before anything is unpacked.
 */
async function openImage(file: Uint8Array, limit: number): Promise<Bun.Image> {
  const image = new Bun.Image(file, { maxPixels: limit });
  const { format } = await image.metadata();
  if (!formats.has(format)) throw badImage();
  return image;
}

/** Its first frame, turned as it was taken, and nothing that was said about it; never larger than it was. */
async function readInside(file: Uint8Array, width: number, height: number, limit = pixelsMax, packing = bestPacking) {
  const image = await openImage(file, limit);
  const fitted = image.resize(width, height, { fit: "inside", withoutEnlargement: true });
  return withoutMetadata(await fitted.png({ compressionLevel: packing }).bytes());
}

/** A picture from which others are made. */
const readWhole = (file: Uint8Array) =>
  readInside(file, originalSide, originalSide, pixelsMax, quickly.compressionLevel);

/**
 * A picture in a PNG that is at most so wide and high. Refuses (BAD_IMAGE) what is no picture, and one with more than
 * `limit` pixels; where too many wait, all (RATE_LIMIT_HIT).
 */
export const makeFitting = (
  file: Uint8Array,
  width: number,
  height: number,
  limit = pixelsMax,
): Promise<Uint8Array<ArrayBuffer>> => inTurn(() => readInside(file, width, height, limit));

/** The middle of a picture as squares of these sides, in PNG. Refuses as `makeFitting` does. */
export const makeSquares = (file: Uint8Array, sides: readonly number[]): Promise<Uint8Array<ArrayBuffer>[]> =>
  inTurn(async () => squaresOf(await readWhole(file), sides));

async function squaresOf(png: Uint8Array, sides: readonly number[]): Promise<Uint8Array<ArrayBuffer>[]> {
  const square = cutSquare(await shrinkTo(png, Math.max(...sides)));
  const made: Uint8Array<ArrayBuffer>[] = [];
  for (const side of sides) made.push(withoutMetadata(await new Bun.Image(square).resize(side, side).png().bytes()));
  return made;
}

/** The picture with its shorter side as near to `side` as it gets without growing. */
async function shrinkTo(png: Uint8Array, side: number): Promise<Uint8Array> {
  const image = new Bun.Image(png);
  const { width, height } = await image.metadata();
  const longer = Math.ceil((side * Math.max(width, height)) / Math.min(width, height));
  return image.resize(longer, longer, { fit: "inside", withoutEnlargement: true }).png(quickly).bytes();
}

/** The same with the whole picture beside the squares, in WebP, at most 1,000 pixels wide and high. */
export const makeSquaresAndOriginal = (
  file: Uint8Array,
  sides: readonly number[],
): Promise<{ squares: Uint8Array<ArrayBuffer>[]; original: Uint8Array<ArrayBuffer> }> =>
  inTurn(async () => {
    const png = await readWhole(file);
    const original = Uint8Array.from(await new Bun.Image(png).webp({ quality: 90 }).bytes());
    return { squares: await squaresOf(png, sides), original };
  });

/**
 * A still picture in WebP that is at most so wide and high, without what was said about it. `load` gives the file when its
 * turn has come. Refuses as `makeFitting` does.
 */
export const makeThumbnailPicture = (
  load: () => Promise<Uint8Array>,
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> =>
  inTurn(async () => {
    const png = await readInside(await load(), width, height, pixelsMax, quickly.compressionLevel);
    return Uint8Array.from(await new Bun.Image(png).webp({ quality: 80 }).bytes());
  });
