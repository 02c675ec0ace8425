import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Pack } from "tar-stream";
import type { Output } from "../backup/output";

const privateFile = 0o600;
/** Number of characters that are written at once. */
const chunkCharacters = 65_536;

/** A row of a table, or a record of a file. */
export type ArchiveRow = Readonly<Record<string, unknown>>;
export type ArchiveRows = Iterable<ArchiveRow> | AsyncIterable<ArchiveRow>;

/**
 * A `tar.gz` that is written to an output. The caller who opened the output keeps or discards it.
 */
export class ArchiveFile {
  private constructor(
    private readonly pack: Pack,
    private readonly writing: Promise<void>,
    /**
     * Outermost folder of the archive; path of a file for an entry while its size is unknown; and
     * UNIX seconds.
     */
    private readonly facts: { folder: string; spool: string; now: number },
  ) {}

  static async begin(
    { sink }: Output,
    facts: { folder: string; spool: string; now: number },
  ): Promise<ArchiveFile> {
    const { pack: makePack } = await import("tar-stream");
    const pack = makePack();
    const writing = pipeline(pack, createGzip(), async (packed: AsyncIterable<Uint8Array>) => {
      for await (const bytes of packed) await sink(bytes);
    });
    // Its error is not lost: the next entry or `finish` fails with it.
    writing.catch(() => undefined);
    return new ArchiveFile(pack, writing, facts);
  }

  /** Adds a file of this machine. */
  async add(name: string, path: string): Promise<void> {
    const { folder, now } = this.facts;
    const { size } = await stat(path);
    const entry = this.pack.entry({
      name: `${folder}/${name}`,
      size,
      mode: privateFile,
      mtime: new Date(now * 1_000),
    });
    await pipeline(createReadStream(path), entry).catch((error: unknown) => {
      this.pack.destroy(error instanceof Error ? error : undefined);
      // The error of the output is thrown instead, because it is the cause, such as a full disk.
      return this.writing;
    });
  }

  /** Adds text that comes in pieces. The pieces are stored in a file until their size is known. */
  async addText(name: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const { spool } = this.facts;
    const source = Readable.from(inChunks(pieces));
    await pipeline(source, createWriteStream(spool, { mode: privateFile }));
    await this.add(name, spool);
  }

  addJson = (name: string, value: unknown): Promise<void> =>
    this.addText(name, [JSON.stringify(value)]);

  /** Adds lists of rows, each under the name of its table. */
  addTables = (
    name: string,
    tables: Readonly<Record<string, ArchiveRows>>,
    facts: ArchiveRow = {},
  ): Promise<void> => this.addText(name, tablesText(tables, facts));

  /** Adds a list of records. */
  addRecords = (name: string, records: ArchiveRows): Promise<void> =>
    this.addText(name, listText(records));

  /** Writes the end of the archive. */
  async finish(): Promise<void> {
    this.pack.finalize();
    await this.writing;
  }

  /** Stops writing, unless it is finished. */
  async stop(): Promise<void> {
    this.pack.destroy();
    await this.writing.catch(() => undefined);
  }
}

async function* tablesText(tables: Readonly<Record<string, ArchiveRows>>, facts: ArchiveRow) {
  yield "{";
  let mark = "";
  for (const [name, rows] of Object.entries(tables)) {
    yield `${mark}${JSON.stringify(name)}:`;
    yield* listText(rows);
    mark = ",";
  }
  for (const [name, value] of Object.entries(facts)) {
    yield `${mark}${JSON.stringify(name)}:${JSON.stringify(value)}`;
    mark = ",";
  }
  yield "}";
}

async function* listText(rows: ArchiveRows) {
  yield "[";
  let mark = "";
  for await (const row of rows) {
    yield `${mark}${JSON.stringify(row)}`;
    mark = ",\n";
  }
  yield "]";
}

async function* inChunks(pieces: Iterable<string> | AsyncIterable<string>) {
  let chunk: string[] = [];
  let characters = 0;
  for await (const piece of pieces) {
    chunk.push(piece);
    characters += piece.length;
    if (characters < chunkCharacters) continue;
    yield chunk.join("");
    [chunk, characters] = [[], 0];
  }
  yield chunk.join("");
}
