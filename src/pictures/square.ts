import { turn } from "../core/turns/turn";
import { type Chunk, header, readChunks, writeChunks } from "./png";
import { badImage } from "./refusal";

/** Loaded on first use, because loading it would make every start slower. */
const zlib = (): typeof import("node:zlib") => require("node:zlib");

const rgba = 6;
const bytesPerPixel = 4;
/**
 * Number of pixels that are computed between two turns of other work: some milliseconds at most.
 */
export const pixelsPerTurn = 16_384;
/**
 * Bytes that a thread unpacks or packs before it returns to the event loop: usually the whole
 * picture.
 */
const chunkSize = 1_048_576;

/**
 * The square in the middle of a PNG as Bun writes them: with eight bits for each of red, green,
 * blue and opacity. A thread unpacks and packs the bytes; in between `pause` is awaited after each
 * portion of pixels.
 */
export async function cutSquare(
  png: Uint8Array,
  pause: (pixels: number) => Promise<void> = turn,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = readChunks(png);
  const head = chunks[0]?.data;
  if (head?.[8] !== 8 || head[9] !== rgba) throw badImage();
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const side = Math.min(width, height);
  const [left, top] = [(width - side) >> 1, (height - side) >> 1];
  // Only rows down to the square's end, because no row depends on those below it.
  const pixels = await unfilter(await unpack(chunks), width, top + side, pause);
  const rowBytes = 1 + side * bytesPerPixel;
  const rows = Buffer.alloc(rowBytes * side);
  for (let y = 0; y < side; y++) {
    const start = ((top + y) * width + left) * bytesPerPixel;
    pixels.copy(rows, y * rowBytes + 1, start, start + side * bytesPerPixel);
  }
  return writeChunks([
    header(side, side, 8, rgba),
    { type: "IDAT", data: await pack(rows) },
    { type: "IEND", data: Buffer.alloc(0) },
  ]);
}

function unpack(chunks: readonly Chunk[]): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const data = Buffer.concat(
    chunks.filter(({ type }) => type === "IDAT").map((chunk) => chunk.data),
  );
  zlib().inflate(data, { chunkSize }, (error, rows) => (error ? reject(error) : resolve(rows)));
  return promise;
}

function pack(rows: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  zlib().deflate(rows, { level: 1, chunkSize }, (error, data) =>
    error ? reject(error) : resolve(data),
  );
  return promise;
}

/**
 * Undoes the filter of each row (PNG specification, third edition, section 9), some rows at a time.
 */
async function unfilter(
  rows: Buffer,
  width: number,
  height: number,
  pause: (pixels: number) => Promise<void>,
) {
  const pixels = Buffer.alloc(width * bytesPerPixel * height);
  const rowsPerTurn = Math.max(1, Math.floor(pixelsPerTurn / width));
  for (let from = 0; from < height; from += rowsPerTurn) {
    const to = Math.min(height, from + rowsPerTurn);
    for (let y = from; y < to; y++) unfilterRow(rows, pixels, width, y);
    await pause((to - from) * width);
  }
  return pixels;
}

function unfilterRow(rows: Buffer, pixels: Buffer, width: number, y: number) {
  const rowBytes = width * bytesPerPixel;
  const kind = rows[y * (rowBytes + 1)] ?? 0;
  const [from, to] = [y * (rowBytes + 1) + 1, y * rowBytes];
  for (let x = 0; x < rowBytes; x++) {
    const left = x < bytesPerPixel ? 0 : (pixels[to + x - bytesPerPixel] ?? 0);
    const up = y === 0 ? 0 : (pixels[to + x - rowBytes] ?? 0);
    const corner =
      y === 0 || x < bytesPerPixel ? 0 : (pixels[to + x - rowBytes - bytesPerPixel] ?? 0);
    pixels[to + x] = (rows[from + x] ?? 0) + predict(kind, left, up, corner);
  }
}

function predict(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  return kind === 4 ? nearest(left, up, corner) : 0;
}

/** Paeth's predictor. */
function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
