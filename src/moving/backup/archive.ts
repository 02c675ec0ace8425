import { isRecord } from "../../core/json/record";
import { BrokenBackupError, RepeatedEntryError } from "./broken";
import { filesPrefix } from "./manifest";
import { blockBytes, type Entry, makeHeader, paddingOf, readHeader } from "./tar";

/** The last entry: the checksum of everything before it, and facts about the archive. */
const endName = "end.json";
const smallEntryBytesMax = 256 * 1024 * 1024;
const endEntryBytesMax = 1024 * 1024;

/** Takes the bytes of an archive; resolves when there is room for more. */
export type Sink = (bytes: Uint8Array) => Promise<void>;

export interface ArchiveWriter {
  /** Adds an entry from memory. */
  add(name: string, content: Uint8Array | string): Promise<void>;
  /** Adds an entry in pieces. Fails if their size differs from the one that was declared. */
  addStream(entry: Entry, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Ends the archive with its checksum and the facts. */
  end(facts: Facts): Promise<void>;
}

/** Writes a tar archive whose last entry has the checksum of the others. `now` is UNIX seconds. */
export function writeArchive(sink: Sink, now: number): ArchiveWriter {
  const hash = new Bun.CryptoHasher("sha256");
  const put: Sink = (bytes) => {
    hash.update(bytes);
    return sink(bytes);
  };
  const addStream = async (entry: Entry, chunks: AsyncIterable<Uint8Array>) => {
    await put(makeHeader(entry, now));
    let written = 0;
    for await (const chunk of chunks) {
      written += chunk.byteLength;
      if (written > entry.sizeBytes) break;
      await put(chunk);
    }
    if (written !== entry.sizeBytes)
      throw new Error(`${entry.name} changed while it was read. Run it again.`);
    await put(Buffer.alloc(paddingOf(entry.sizeBytes)));
  };
  const add = (name: string, content: Uint8Array | string) => {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    return addStream({ name, sizeBytes: bytes.byteLength }, inOnePiece(bytes));
  };
  return {
    add,
    addStream,
    async end(facts) {
      await add(endName, `${JSON.stringify({ sha256: hash.digest("hex"), ...facts })}\n`);
      await sink(Buffer.alloc(2 * blockBytes));
    },
  };
}

async function* inOnePiece(bytes: Uint8Array) {
  if (bytes.byteLength > 0) yield bytes;
}

/**
 * An entry that the reader of an archive has reached. Its content can be read only once: all of it
 * together, or in pieces.
 */
export interface ReachedEntry extends Entry {
  bytes(): Promise<Uint8Array>;
  chunks: AsyncIterable<Uint8Array>;
}

/** Facts at the end of an archive. */
export type Facts = Record<string, unknown>;

/**
 * Iterates over the entries of an archive in order; returns the facts at its end. Fails
 * (`BrokenBackupError`) where anything is missing or differs from the original. The data of an
 * entry may be wrong until the end is reached, because the checksum is the last entry. Unread bytes
 * of an entry are skipped.
 */
export async function* readArchive(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<ReachedEntry, Facts> {
  const reader = makeReader(source);
  const hash = new Bun.CryptoHasher("sha256");
  const names = new Set<string>();
  for (;;) {
    const header = await reader.take(blockBytes);
    const entry = readHeader(header);
    if (!entry) throw new BrokenBackupError("its end is missing");
    // Names of files are not collected here, because there may be a million of them. A repeated
    // file is detected when it is written.
    if (names.has(entry.name)) throw new RepeatedEntryError(entry.name);
    if (!entry.name.startsWith(filesPrefix)) names.add(entry.name);
    if (entry.name === endName) return await readEnd(reader, entry, hash.digest("hex"));
    hash.update(header);
    const chunks = contentOf(reader, entry, hash);
    const bytes = async () => {
      if (entry.sizeBytes > smallEntryBytesMax)
        throw new BrokenBackupError(`${entry.name} is too large`);
      return Buffer.concat(await Array.fromAsync(chunks));
    };
    yield { ...entry, bytes, chunks };
    for await (const _ of chunks);
    hash.update(await reader.take(paddingOf(entry.sizeBytes)));
  }
}

async function* contentOf(
  reader: Reader,
  { sizeBytes }: Entry,
  hash: Bun.CryptoHasher,
): AsyncGenerator<Uint8Array> {
  for (let left = sizeBytes; left > 0; ) {
    const chunk = await reader.some(left);
    left -= chunk.byteLength;
    hash.update(chunk);
    yield chunk;
  }
}

async function readEnd(reader: Reader, { sizeBytes }: Entry, sha256: string): Promise<Facts> {
  if (sizeBytes > endEntryBytesMax) throw new BrokenBackupError("it is damaged at its end");
  const text = (await reader.take(sizeBytes)).toString("utf8");
  const facts = parseFacts(text);
  const rest = await reader.take(paddingOf(sizeBytes) + 2 * blockBytes);
  const isExact =
    text === `${JSON.stringify(facts)}\n` &&
    rest.every((byte) => byte === 0) &&
    (await reader.isAtEnd());
  if (facts["sha256"] !== sha256) throw new BrokenBackupError("its checksum is wrong");
  if (!isExact) throw new BrokenBackupError("it is damaged at its end");
  return facts;
}

function parseFacts(text: string): Facts {
  try {
    const facts: unknown = JSON.parse(text);
    return isRecord(facts) ? facts : {};
  } catch {
    throw new BrokenBackupError("it is damaged at its end");
  }
}

interface Reader {
  /** Exactly this number of bytes. Fails where the archive has fewer left. */
  take(count: number): Promise<Buffer>;
  /** The next bytes, at least one and at most `countMax`. */
  some(countMax: number): Promise<Buffer>;
  isAtEnd(): Promise<boolean>;
}

function makeReader(source: AsyncIterable<Uint8Array>): Reader {
  const iterator = source[Symbol.asyncIterator]();
  let buffer: Buffer = Buffer.alloc(0);
  const fill = async (): Promise<boolean> => {
    while (buffer.byteLength === 0) {
      const { done, value } = await iterator.next();
      if (done) return false;
      buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    return true;
  };
  const some = async (countMax: number) => {
    if (!(await fill())) throw new BrokenBackupError("it is cut off");
    const taken = buffer.subarray(0, countMax);
    buffer = buffer.subarray(taken.byteLength);
    return taken;
  };
  return {
    some,
    isAtEnd: async () => !(await fill()),
    async take(count) {
      const parts: Buffer[] = [];
      for (let left = count; left > 0; left -= parts.at(-1)?.byteLength ?? 0)
        parts.push(await some(left));
      return Buffer.concat(parts);
    },
  };
}
