import { codeOf } from "../core/error-code";
import { ApiError, serverBusy } from "../core/errors";
import { FairQueue } from "../core/turns/fair-queue";
import { isTooLarge, pictureTooLarge, pixelsMax } from "./bounds";
import { withoutMetadata } from "./png";
import { badImage } from "./refusal";
import { cutSquare } from "./square";

/**
 * Limit because each waiting picture may have its file in memory. One person gets half of the
 * places, enough for a page full of pictures.
 */
const waitingMax = 48;
const waitSeconds = 5;
const originalSide = 1_000;
const bestPacking = 6;
/** For pictures that are unpacked again at once. */
const quickly = { compressionLevel: 1 };
const formats = new Set(["png", "jpeg", "webp", "gif"]);

/**
 * Decodes one picture at a time, because each takes up to 96 MB and another core than the event
 * loop.
 */
export const pictureQueue = new FairQueue<string>(waitingMax, () =>
  serverBusy("Too many pictures are being prepared", waitSeconds),
);

/** An error while a picture is decoded means that the picture is bad. */
async function decode<Made>(make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    throw error instanceof ApiError ? error : badImage();
  }
}

/** Runs `make` when it is the turn of the person with this lane. */
const inTurn = async <Made>(whose: string, make: () => Promise<Made>): Promise<Made> =>
  pictureQueue.take(whose, () => decode(make));

/**
 * Opens a picture by its header. Pictures that are too large, and formats that only some systems
 * know, are refused before anything is unpacked.
 */
async function openImage(file: Uint8Array): Promise<Bun.Image> {
  const image = new Bun.Image(file, { maxPixels: pixelsMax });
  const head = await image.metadata().catch((error: unknown) => {
    throw hasTooManyPixels(error) ? pictureTooLarge() : badImage();
  });
  if (!formats.has(head.format)) throw badImage();
  if (isTooLarge(head)) throw pictureTooLarge();
  return image;
}

const hasTooManyPixels = (error: unknown) => codeOf(error) === "ERR_IMAGE_TOO_MANY_PIXELS";

/** The first frame, rotated upright and without metadata; never enlarged. */
async function readInside(file: Uint8Array, width: number, height: number, packing = bestPacking) {
  const image = await openImage(file);
  const fitted = image.resize(width, height, { fit: "inside", withoutEnlargement: true });
  return withoutMetadata(await fitted.png({ compressionLevel: packing }).bytes());
}

/** A picture as the source of others. */
const readWhole = (file: Uint8Array) =>
  readInside(file, originalSide, originalSide, quickly.compressionLevel);

/**
 * A picture as PNG, reduced to this width and height. `whose` is the lane of the person (`laneOf`).
 * Refuses (BAD_IMAGE) a file that is no picture or too large (`isTooLarge`); while too many wait,
 * refuses all (503).
 */
export const makeFitting = (
  whose: string,
  file: Uint8Array,
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> => inTurn(whose, () => readInside(file, width, height));

/** The middle of a picture as squares with these sides, in PNG. Refuses as `makeFitting` does. */
export const makeSquares = (
  whose: string,
  file: Uint8Array,
  sides: readonly number[],
): Promise<Uint8Array<ArrayBuffer>[]> =>
  inTurn(whose, async () => squaresOf(await readWhole(file), sides));

async function squaresOf(
  png: Uint8Array,
  sides: readonly number[],
): Promise<Uint8Array<ArrayBuffer>[]> {
  const square = await cutSquare(await shrinkTo(png, Math.max(...sides)));
  const squares: Uint8Array<ArrayBuffer>[] = [];
  for (const side of sides)
    squares.push(withoutMetadata(await new Bun.Image(square).resize(side, side).png().bytes()));
  return squares;
}

/** The picture with its shorter side reduced to `side`, or unchanged if that is smaller. */
async function shrinkTo(png: Uint8Array, side: number): Promise<Uint8Array> {
  const image = new Bun.Image(png);
  const { width, height } = await image.metadata();
  const longer = Math.ceil((side * Math.max(width, height)) / Math.min(width, height));
  return image
    .resize(longer, longer, { fit: "inside", withoutEnlargement: true })
    .png(quickly)
    .bytes();
}

/**
 * Squares of a picture, and the whole picture beside them in WebP, at most 1,000 pixels wide and
 * high.
 */
export const makeSquaresAndOriginal = (
  whose: string,
  file: Uint8Array,
  sides: readonly number[],
): Promise<{ squares: Uint8Array<ArrayBuffer>[]; original: Uint8Array<ArrayBuffer> }> =>
  inTurn(whose, async () => {
    const png = await readWhole(file);
    const original = new Uint8Array(await new Bun.Image(png).webp({ quality: 90 }).bytes());
    return { squares: await squaresOf(png, sides), original };
  });

/**
 * A still picture in WebP, reduced to this width and height and without metadata. `load` gives the
 * file when its turn has come; an error of `load` is not blamed on the picture. Refuses as
 * `makeFitting` does.
 */
export const makeThumbnailPicture = async (
  whose: string,
  load: () => Promise<Uint8Array>,
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> =>
  pictureQueue.take(whose, async () => {
    const file = await load();
    return decode(async () => {
      const png = await readInside(file, width, height, quickly.compressionLevel);
      return new Uint8Array(await new Bun.Image(png).webp({ quality: 80 }).bytes());
    });
  });
