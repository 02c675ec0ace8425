import { createReadStream } from "node:fs";
import { mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import { badRequest } from "../../core/errors";
import { writeAll } from "../backup/stored-files";

/*
 * A tar archive of others, plain or packed with gzip. Its files are put under numbers of ours, so that no name in it ever
 * becomes a path; links and devices are passed over. Source: POSIX.1-2001 pax, and GNU tar for long names.
 */

const blockBytes = 512;
const gzipMark = [0x1f, 0x8b];
const headerTextMax = 65_536;

/** Limits of archives: beyond that somebody wants to fill the disk or the memory. */
export interface TarLimits {
  entriesMax: number;
  bytesMax: number;
  /** Of an entry that is read at once. */
  entryBytesMax: number;
}

export const tarLimits: TarLimits = {
  entriesMax: 10_000_000,
  bytesMax: 2 * 1024 ** 4,
  entryBytesMax: 1024 ** 3,
};

const broken = (why: string) => badRequest(`This is no whole tar archive: ${why}.`);
const tooMuch = () =>
  badRequest("The archive unpacks to more than any export has. Nothing was taken from it.");

/**
 * Unpacked archive: files of this machine by the names that they have in the archive, without its
 * outermost folder.
 */
export class Unpacked {
  constructor(
    private readonly folder: string,
    private readonly numbers: ReadonlyMap<string, number>,
    private readonly limits: TarLimits,
  ) {}

  get names(): IterableIterator<string> {
    return this.numbers.keys();
  }

  path(name: string): string | undefined {
    const number = this.numbers.get(name);
    return number === undefined ? undefined : join(this.folder, String(number));
  }

  /**
   * The JSON of a file; undefined where it is not there. Refuses one that is too large or no JSON
   * (BAD_REQUEST).
   */
  async json(name: string): Promise<unknown> {
    const path = this.path(name);
    if (path === undefined) return undefined;
    if (Bun.file(path).size > this.limits.entryBytesMax) throw tooMuch();
    try {
      return JSON.parse(await readFile(path, "utf8"));
    } catch {
      throw broken(`${JSON.stringify(name)} is no JSON`);
    }
  }

  chunks = (name: string): AsyncIterable<Uint8Array> => createReadStream(this.path(name) ?? "");

  discard = () => rm(this.folder, { recursive: true, force: true });
}

/**
 * Unpacks an archive into a new folder of ours. Refuses what is none, and what unpacks to too much
 * (BAD_REQUEST).
 */
export async function unpackTar(
  path: string,
  folder: string,
  limits: TarLimits = tarLimits,
): Promise<Unpacked> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const source = createReadStream(path);
  const head = Buffer.from(await Bun.file(path).slice(0, 2).arrayBuffer());
  const isPacked = gzipMark.every((byte, at) => head[at] === byte);
  const plain = isPacked ? source.pipe(createGunzip()) : source;
  try {
    const numbers = await unpackBlocks(new Blocks(plain, limits), folder, limits);
    return new Unpacked(folder, numbers, limits);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw broken("it is damaged");
    throw error;
  } finally {
    source.destroy();
  }
}

async function unpackBlocks(
  blocks: Blocks,
  folder: string,
  limits: TarLimits,
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  let longName: string | undefined;
  for (let count = 0; ; count++) {
    const header = await blocks.take(blockBytes);
    if (header === undefined || header.every((byte) => byte === 0)) return numbers;
    if (count >= limits.entriesMax) throw tooMuch();
    const { name, type, sizeBytes } = readHeader(header);
    if (type === "L" || type === "x") {
      const text = (await blocks.text(sizeBytes)) ?? "";
      longName =
        type === "L" ? text.split("\0")[0] : (/^\d+ path=(.+)$/m.exec(text)?.[1] ?? longName);
      continue;
    }
    const own = (longName ?? name).replace(/^(?:\.\/)?[^/]+\//, "");
    longName = undefined;
    const isFile = type === "0" || type === "\0";
    if (isFile) {
      if (numbers.has(own)) throw broken(`it has ${JSON.stringify(own)} twice`);
      numbers.set(own, numbers.size);
      await blocks.copy(sizeBytes, join(folder, String(numbers.size - 1)));
    } else await blocks.copy(sizeBytes, undefined);
  }
}

function readHeader(header: Buffer): { name: string; type: string; sizeBytes: number } {
  const text = (at: number, length: number) =>
    header.toString("utf8", at, at + length).split("\0")[0] ?? "";
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (Number.parseInt(text(148, 8), 8) !== sum) throw broken("it does not have the form of one");
  const isBinary = header[124] === 0x80;
  const sizeBytes = isBinary
    ? Number(header.readBigUInt64BE(128))
    : Number.parseInt(text(124, 12), 8) || 0;
  const prefix = text(257, 5) === "ustar" && text(257, 6) !== "ustar " ? text(345, 155) : "";
  return {
    name: prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    type: text(156, 1) || "\0",
    sizeBytes,
  };
}

/** The bytes of an archive, a piece at a time. */
class Blocks {
  private readonly iterator: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  private bytes = 0;

  constructor(
    source: AsyncIterable<Buffer>,
    private readonly limits: TarLimits,
  ) {
    this.iterator = source[Symbol.asyncIterator]();
  }

  private async fill(): Promise<boolean> {
    while (this.rest.byteLength === 0) {
      const { done, value } = await this.iterator.next();
      if (done) return false;
      this.bytes += value.byteLength;
      if (this.bytes > this.limits.bytesMax) throw tooMuch();
      this.rest = value;
    }
    return true;
  }

  private async some(countMax: number): Promise<Buffer> {
    if (!(await this.fill())) throw broken("it is cut off");
    const taken = this.rest.subarray(0, countMax);
    this.rest = this.rest.subarray(taken.byteLength);
    return taken;
  }

  /** So many bytes; undefined at the end. */
  async take(count: number): Promise<Buffer | undefined> {
    if (!(await this.fill())) return undefined;
    const parts: Buffer[] = [];
    for (let left = count; left > 0; left -= parts.at(-1)?.byteLength ?? 0)
      parts.push(await this.some(left));
    return Buffer.concat(parts);
  }

  async text(sizeBytes: number): Promise<string | undefined> {
    if (sizeBytes > headerTextMax) throw tooMuch();
    const bytes = await this.take(sizeBytes);
    await this.skip(paddingOf(sizeBytes));
    return bytes?.toString("utf8");
  }

  /** Writes the content of an entry to a file, or passes over it. */
  async copy(sizeBytes: number, path: string | undefined): Promise<void> {
    const file = path === undefined ? undefined : await open(path, "wx", 0o600);
    try {
      for (let left = sizeBytes; left > 0; ) {
        const chunk = await this.some(left);
        left -= chunk.byteLength;
        if (file) await writeAll(file, chunk);
      }
    } finally {
      await file?.close();
    }
    await this.skip(paddingOf(sizeBytes));
  }

  private async skip(count: number) {
    for (let left = count; left > 0; ) left -= (await this.some(left)).byteLength;
  }
}

const paddingOf = (sizeBytes: number) => (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
