import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";
import { codeOf } from "../../core/error-code";
import { ApiError, badRequest } from "../../core/errors";

/*
 * The ZIP format as far as exports need it. Its directory is at the end, so entries can be read in
 * any order, and only requested ones are unpacked. Source: PKWARE's APPNOTE 6.3, 4.3 and 4.5.
 */

const endMark = 0x06054b50;
const endBytes = 22;
const commentBytesMax = 65_535;
const bigEndLocatorMark = 0x07064b50;
const bigEndMark = 0x06064b50;
const directoryMark = 0x02014b50;
const localMark = 0x04034b50;
const unknown32 = 0xffffffff;
const unknown16 = 0xffff;
const bigExtra = 1;

const directoryBytesMax = 512 * 1024 * 1024;
const chunkBytes = 65_536;

/** Limits of archives: larger ones are attempts to fill the disk or the memory. */
export interface ZipLimits {
  entriesMax: number;
  /** Unpacked size of everything that is read. */
  bytesMax: number;
  /** Unpacked size of an entry that is read into memory. */
  entryBytesMax: number;
}

const zipLimits: ZipLimits = {
  entriesMax: 2_000_000,
  bytesMax: 256 * 1024 ** 3,
  entryBytesMax: 256 * 1024 ** 2,
};

interface Entry {
  name: string;
  method: number;
  packedBytes: number;
  offset: number;
}

const damaged = "This ZIP archive is damaged or incomplete";
const broken = (why: string) => badRequest(`${damaged}: ${why}.`);
/** Whether an error is the refusal of an archive, or of an entry of it, because it is damaged. */
export const isDamage = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.message.startsWith(damaged);
/** Refusal of an archive that would fill the disk or the memory. */
export const tooMuch = () =>
  badRequest("The unpacked archive would be larger than any export. Nothing was imported.");

/**
 * An archive whose entries are read by name, any number of times. Names are never used as paths.
 */
export class ZipFile {
  private unpackedBytes = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly limits: ZipLimits,
  ) {}

  /**
   * Reads the directory of an archive. Refuses a file that is not an archive, and an archive with
   * too many entries (BAD_REQUEST).
   */
  static async open(file: FileHandle, limits: ZipLimits = zipLimits): Promise<ZipFile> {
    const { count, size, offset } = await findDirectory(file);
    if (count > limits.entriesMax || size > directoryBytesMax) throw tooMuch();
    const directory = await readExactly(file, offset, size);
    const entries = new Map<string, Entry>();
    for (let at = 0, read = 0; read < count; read++) {
      const { entry, next } = readEntry(directory, at);
      if (entries.has(entry.name)) throw broken(`it has ${JSON.stringify(entry.name)} twice`);
      if (!entry.name.endsWith("/")) entries.set(entry.name, entry);
      at = next;
    }
    return new ZipFile(file, entries, limits);
  }

  get names(): IterableIterator<string> {
    return this.entries.keys();
  }

  has = (name: string): boolean => this.entries.has(name);

  /**
   * The JSON of an entry; undefined if it is missing. Refuses one that is too large or not JSON
   * (BAD_REQUEST).
   */
  async json(name: string): Promise<unknown> {
    if (!this.has(name)) return undefined;
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of this.chunks(name)) {
      bytes += chunk.byteLength;
      if (bytes > this.limits.entryBytesMax) throw tooMuch();
      parts.push(chunk);
    }
    try {
      return JSON.parse(Buffer.concat(parts).toString("utf8"));
    } catch {
      throw broken(`${JSON.stringify(name)} is no JSON`);
    }
  }

  /** The content of an entry, unpacked while it is read. */
  async *chunks(name: string): AsyncIterable<Uint8Array> {
    const entry = this.entries.get(name);
    if (!entry) return;
    const packed = this.packedChunks(entry);
    const source = entry.method === 0 ? packed : inflate(packed);
    for await (const chunk of source) {
      this.unpackedBytes += chunk.byteLength;
      if (this.unpackedBytes > this.limits.bytesMax) throw tooMuch();
      yield chunk;
    }
  }

  private async *packedChunks({ method, offset, packedBytes }: Entry): AsyncIterable<Uint8Array> {
    if (method !== 0 && method !== 8) throw broken("an entry is packed in a way that nobody uses");
    const header = await readExactly(this.file, offset, 30);
    if (header.readUInt32LE(0) !== localMark)
      throw broken("an entry is not where the directory says");
    let at = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    for (let left = packedBytes; left > 0; ) {
      const chunk = await readExactly(this.file, at, Math.min(left, chunkBytes));
      [at, left] = [at + chunk.byteLength, left - chunk.byteLength];
      yield chunk;
    }
  }
}

async function* inflate(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const unpacking = createInflateRaw();
  const feeding = pipeline(packed, unpacking);
  // An error of the input also fails the unpacked bytes, so it is not lost here.
  feeding.catch(() => undefined);
  try {
    yield* unpacking;
  } catch (error) {
    throw isPackingError(error) ? broken("an entry is damaged") : error;
  }
}

const isPackingError = (error: unknown) => codeOf(error).startsWith("Z_");

async function readExactly(file: FileHandle, offset: number, size: number): Promise<Buffer> {
  if (!Number.isSafeInteger(offset + size)) throw broken("it is cut off");
  const buffer = Buffer.alloc(size);
  for (let read = 0; read < size; ) {
    const { bytesRead } = await file.read(buffer, read, size - read, offset + read);
    if (bytesRead === 0) throw broken("it is cut off");
    read += bytesRead;
  }
  return buffer;
}

interface Directory {
  count: number;
  size: number;
  offset: number;
}

async function findDirectory(file: FileHandle): Promise<Directory> {
  const { size: fileBytes } = await file.stat();
  const tailBytes = Math.min(fileBytes, endBytes + commentBytesMax);
  const tail = await readExactly(file, fileBytes - tailBytes, tailBytes);
  for (let at = tail.byteLength - endBytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== endMark) continue;
    const found = {
      count: tail.readUInt16LE(at + 10),
      size: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    };
    const isBig =
      found.count === unknown16 || found.size === unknown32 || found.offset === unknown32;
    const directory = isBig ? await findBigDirectory(file, fileBytes - tailBytes + at) : found;
    if (directory.offset + directory.size > fileBytes) throw broken("its directory is missing");
    return directory;
  }
  throw broken("its end is missing");
}

async function findBigDirectory(file: FileHandle, endAt: number): Promise<Directory> {
  if (endAt < 20) throw broken("its directory is missing");
  const locator = await readExactly(file, endAt - 20, 20);
  if (locator.readUInt32LE(0) !== bigEndLocatorMark) throw broken("its directory is missing");
  const end = await readExactly(file, Number(locator.readBigUInt64LE(8)), 56);
  if (end.readUInt32LE(0) !== bigEndMark) throw broken("its directory is missing");
  const [count, size, offset] = [32, 40, 48].map((at) => Number(end.readBigUInt64LE(at)));
  return { count: count ?? 0, size: size ?? 0, offset: offset ?? 0 };
}

function readEntry(directory: Buffer, at: number): { entry: Entry; next: number } {
  if (at + 46 > directory.byteLength || directory.readUInt32LE(at) !== directoryMark) {
    throw broken("its directory is damaged");
  }
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) =>
    directory.readUInt16LE(at + place),
  );
  const nameEnd = at + 46 + (nameBytes ?? 0);
  const next = nameEnd + (extraBytes ?? 0) + (commentBytes ?? 0);
  if (next > directory.byteLength) throw broken("its directory is damaged");
  const sizes = {
    unpackedBytes: directory.readUInt32LE(at + 24),
    packedBytes: directory.readUInt32LE(at + 20),
    offset: directory.readUInt32LE(at + 42),
  };
  const extra = directory.subarray(nameEnd, nameEnd + (extraBytes ?? 0));
  const { packedBytes, offset } = withBigSizes(sizes, extra);
  const name = directory.toString("utf8", at + 46, nameEnd);
  return { entry: { name, method: directory.readUInt16LE(at + 10), packedBytes, offset }, next };
}

/**
 * Reads the sizes that do not fit in 32 bits from an extra field, which contains them in this
 * order.
 */
function withBigSizes(
  sizes: { unpackedBytes: number; packedBytes: number; offset: number },
  extra: Buffer,
) {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== bigExtra) continue;
    let place = at + 4;
    const next = (value: number) => {
      if (value !== unknown32 || place + 8 > extra.byteLength) return value;
      place += 8;
      return Number(extra.readBigUInt64LE(place - 8));
    };
    const { unpackedBytes, packedBytes, offset } = sizes;
    return {
      unpackedBytes: next(unpackedBytes),
      packedBytes: next(packedBytes),
      offset: next(offset),
    };
  }
  return sizes;
}
