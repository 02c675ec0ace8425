import { badImage } from "./refusal";

/** Loaded when it is needed first: with it, every start would take longer. */
const zlib = (): typeof import("node:zlib") => require("node:zlib");

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const chunkFrame = 12;
const [indexed, rgba] = [3, 6];
/** The chunks that the picture itself is made of: all others say something about it. */
const shown = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

interface Chunk {
  type: string;
  data: Buffer;
}

/** The chunks of a PNG (PNG specification, third edition, section 5). */
function readChunks(png: Uint8Array): Chunk[] {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  for (let at = signature.length; at + chunkFrame <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    chunks.push({ type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + size) });
    at += chunkFrame + size;
  }
  return chunks;
}

function writeChunks(chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> {
  const parts = chunks.map(({ type, data }) => {
    const part = Buffer.alloc(chunkFrame + data.length);
    part.writeUInt32BE(data.length, 0);
    part.write(type, 4, "latin1");
    data.copy(part, 8);
    part.writeUInt32BE(Bun.hash.crc32(part.subarray(4, 8 + data.length)), 8 + data.length);
    return part;
  });
  return Uint8Array.from(Buffer.concat([signature, ...parts]));
}

/** The same picture without what is said about it: text, colour profiles, times. */
export const withoutMetadata = (png: Uint8Array): Uint8Array<ArrayBuffer> =>
  writeChunks(readChunks(png).filter(({ type }) => shown.has(type)));

function header(width: number, height: number, depth: number, colorType: number): Chunk {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = depth;
  data[9] = colorType;
  return { type: "IHDR", data };
}

type Color = readonly [number, number, number];

/** A row of pixels of two colours, as it stands in a PNG; `isSet` tells which have the second. */
export function drawRow(width: number, isSet: (x: number) => boolean): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(width / 8));
  for (let x = 0; x < width; x++) {
    const at = 1 + (x >> 3);
    if (isSet(x)) row[at] = (row[at] ?? 0) | (0x80 >> (x & 7));
  }
  return row;
}

/** A picture of two colours, of rows as wide as there are rows. */
export function drawSquare(colors: readonly [Color, Color], rows: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  return writeChunks([
    header(rows.length, rows.length, 1, indexed),
    { type: "PLTE", data: Buffer.from(colors.flat()) },
    { type: "IDAT", data: zlib().deflateSync(Buffer.concat(rows)) },
    { type: "IEND", data: Buffer.alloc(0) },
  ]);
}

const bytesPerPixel = 4;

/** The square in the middle of a PNG as Bun writes them: of eight bits for each of red, green, blue and opacity. */
export function cutSquare(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const chunks = readChunks(png);
  const head = chunks[0]?.data;
  if (head?.[8] !== 8 || head[9] !== rgba) throw badImage();
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const side = Math.min(width, height);
  const data = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map((chunk) => chunk.data));
  const pixels = unfilter(zlib().inflateSync(data), width, height);
  const [left, top] = [(width - side) >> 1, (height - side) >> 1];
  const rowBytes = 1 + side * bytesPerPixel;
  const rows = Buffer.alloc(rowBytes * side);
  for (let y = 0; y < side; y++) {
    const start = ((top + y) * width + left) * bytesPerPixel;
    pixels.copy(rows, y * rowBytes + 1, start, start + side * bytesPerPixel);
  }
  return writeChunks([
    header(side, side, 8, rgba),
    { type: "IDAT", data: zlib().deflateSync(rows, { level: 1 }) },
    { type: "IEND", data: Buffer.alloc(0) },
  ]);
}

/** Takes back what was done to each row so that it packs better (section 9). */
function unfilter(rows: Buffer, width: number, height: number): Buffer {
  const rowBytes = width * bytesPerPixel;
  const pixels = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const kind = rows[y * (rowBytes + 1)] ?? 0;
    const [from, to] = [y * (rowBytes + 1) + 1, y * rowBytes];
    for (let x = 0; x < rowBytes; x++) {
      const left = x < bytesPerPixel ? 0 : (pixels[to + x - bytesPerPixel] ?? 0);
      const up = y === 0 ? 0 : (pixels[to + x - rowBytes] ?? 0);
      const corner = y === 0 || x < bytesPerPixel ? 0 : (pixels[to + x - rowBytes - bytesPerPixel] ?? 0);
      pixels[to + x] = (rows[from + x] ?? 0) + predict(kind, left, up, corner);
    }
  }
  return pixels;
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
