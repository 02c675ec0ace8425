import { createReadStream } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { badRequest } from "../../core/errors";
import { tooMuch } from "./zip";

/*
 * A tar archive from another system, plain or compressed with gzip. Its files are stored under
 * numbers of our own, so that no name in it ever becomes a path. Links and devices are skipped.
 * Source: POSIX.1-2001 pax, and GNU tar for long names.
 */

const gzipMark = [0x1f, 0x8b];

/** Limits of archives: larger ones are attempts to fill the disk or the memory. */
export interface TarLimits {
  entriesMax: number;
  bytesMax: number;
  /** For an entry that is read into memory. */
  entryBytesMax: number;
}

const tarLimits: TarLimits = {
  entriesMax: 10_000_000,
  bytesMax: 2 * 1024 ** 4,
  entryBytesMax: 1024 ** 3,
};

const broken = (why: string) => badRequest(`This tar archive is damaged or incomplete: ${why}.`);

/** The files of an unpacked archive, by their names in the archive without its outermost folder. */
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
   * The JSON of a file; undefined if it is missing. Refuses one that is too large or not JSON
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
 * Unpacks an archive into a new folder. Refuses a file that is not an archive, and one that unpacks
 * to too much data (BAD_REQUEST).
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
    const numbers = await unpackEntries(plain, folder, limits);
    return new Unpacked(folder, numbers, limits);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw isOfForm(error) ? broken("it is damaged or cut off") : error;
  } finally {
    source.destroy();
  }
}

/**
 * Whether an error means that the archive itself is invalid. Errors of the disk and refusals have
 * other codes.
 */
const isOfForm = (error: unknown) =>
  error instanceof Error && (!("code" in error) || String(error.code).startsWith("Z_"));

async function unpackEntries(
  source: AsyncIterable<Uint8Array>,
  folder: string,
  limits: TarLimits,
): Promise<Map<string, number>> {
  const { extract } = await import("tar-stream");
  const entries = extract();
  const feeding = pipeline(bounded(source, limits.bytesMax), entries);
  // An error of the input also fails the entries, so it is not lost here.
  feeding.catch(() => undefined);
  const numbers = new Map<string, number>();
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    if (count > limits.entriesMax) throw tooMuch();
    if (entry.header.type !== "file") {
      entry.resume();
      continue;
    }
    const own = entry.header.name.replace(/^(?:\.\/)?[^/]+\//, "");
    if (numbers.has(own)) throw broken(`it has ${JSON.stringify(own)} twice`);
    await writeFile(join(folder, String(numbers.size)), bytesOf(entry), {
      flag: "wx",
      mode: 0o600,
    });
    numbers.set(own, numbers.size);
  }
  await feeding;
  return numbers;
}

async function* bounded(source: AsyncIterable<Uint8Array>, bytesMax: number) {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooMuch();
    yield chunk;
  }
}

/** Chunks of an entry as bytes, which the types of tar-stream do not declare. */
async function* bytesOf(entry: AsyncIterable<unknown>) {
  for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk;
}
