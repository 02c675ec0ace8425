const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const chunkFrame = 12;
const indexed = 3;
/** The chunks of the picture itself: all others are metadata. */
const shown = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

export interface Chunk {
  type: string;
  data: Buffer;
}

/** The chunks of a PNG (PNG specification, third edition, section 5). */
export function readChunks(png: Uint8Array): Chunk[] {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  for (let at = signature.length; at + chunkFrame <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    chunks.push({
      type: bytes.toString("latin1", at + 4, at + 8),
      data: bytes.subarray(at + 8, at + 8 + size),
    });
    at += chunkFrame + size;
  }
  return chunks;
}

export function writeChunks(chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> {
  const sizes = chunks.map(({ data }) => chunkFrame + data.length);
  const png = Buffer.alloc(sizes.reduce((sum, size) => sum + size, signature.length));
  signature.copy(png);
  let at = signature.length;
  for (const { type, data } of chunks) {
    const end = at + 8 + data.length;
    png.writeUInt32BE(data.length, at);
    png.write(type, at + 4, "latin1");
    data.copy(png, at + 8);
    png.writeUInt32BE(Bun.hash.crc32(png.subarray(at + 4, end)), end);
    at = end + 4;
  }
  return new Uint8Array(png.buffer, png.byteOffset, png.byteLength);
}

/** The picture without metadata: text, colour profiles, times. */
export const withoutMetadata = (png: Uint8Array): Uint8Array<ArrayBuffer> =>
  writeChunks(readChunks(png).filter(({ type }) => shown.has(type)));

export function header(width: number, height: number, depth: number, colorType: number): Chunk {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = depth;
  data[9] = colorType;
  return { type: "IHDR", data };
}

type Color = readonly [number, number, number];

/** A row of pixels of two colours, as in a PNG; `isSet` says which have the second. */
export function drawRow(width: number, isSet: (x: number) => boolean): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(width / 8));
  for (let x = 0; x < width; x++) {
    const at = 1 + (x >> 3);
    if (isSet(x)) row[at] = (row[at] ?? 0) | (0x80 >> (x & 7));
  }
  return row;
}

/** A square picture of two colours, from its rows. */
export function drawSquare(
  colors: readonly [Color, Color],
  rows: readonly Buffer[],
): Uint8Array<ArrayBuffer> {
  return writeChunks([
    header(rows.length, rows.length, 1, indexed),
    { type: "PLTE", data: Buffer.from(colors.flat()) },
    { type: "IDAT", data: packed(Buffer.concat(rows)) },
    { type: "IEND", data: Buffer.alloc(0) },
  ]);
}

/**
 * A zlib stream (RFC 1950). Bun's own deflate takes a third of node's time for small pictures, but
 * adds no header and checksum.
 */
function packed(rows: Buffer<ArrayBuffer>): Buffer {
  const [head, sum] = [Buffer.from([0x78, 0x9c]), Buffer.alloc(4)];
  sum.writeUInt32BE(Bun.hash.adler32(rows));
  return Buffer.concat([head, Bun.deflateSync(rows), sum]);
}
