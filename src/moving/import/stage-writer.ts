import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "../../../db/engine";
import type { HeldFolder } from "../../../db/held-folder";
import type { ExportedTable } from "../../../db/schema/tables";
import type { StoredValue } from "../../../db/stored-rows";
import { takeRows } from "../../../db/take-rows";
import type { App } from "../../core/context";
import { version } from "../../core/version";
import { createRealmIn, prepareRealm } from "../../management/organization/create";
import { writeNewFile } from "../backup/stored-files";
import type { Manifest } from "../realm-archive/manifest";
import { makeStageFolder, openStagedRealm, type StagedRealm } from "../realm-archive/stage";
import { openStageEngine } from "../realm-archive/stage-engine";
import type { Numbered } from "./shifts";

const rowsPerWrite = 500;

export type StagedRow = Record<string, StoredValue>;

/** Builds an organization from another system's export, row by row, in a folder of its own. */
export class StageWriter {
  private readonly waiting = new Map<ExportedTable, StagedRow[]>();
  private readonly lastIds = new Map<string, number>();

  private constructor(
    private readonly folder: HeldFolder,
    private readonly engine: Engine,
    private readonly manifest: Manifest,
    readonly realmId: number,
  ) {}

  /** Begins with an organization that has only its system groups and system bots. */
  static async open(
    app: App,
    { host, name }: { host: string; name: string },
  ): Promise<StageWriter> {
    const prepared = prepareRealm({ host, name });
    const folder = await makeStageFolder(app.config.data);
    await mkdir(join(folder.path, "files"));
    const now = app.clock.now();
    const { engine, schemaVersion } = await openStageEngine(app, folder.path);
    const realm = await engine.write(
      0,
      (tx) => createRealmIn(tx, prepared, now),
      () => undefined,
    );
    const { id, host: own } = realm;
    const facts = {
      chatd: version,
      schemaVersion,
      createdAt: now,
      type: "full_without_consent" as const,
    };
    const writer = new StageWriter(
      folder,
      engine,
      { ...facts, realm: { id, host: own, name: prepared.name } },
      id,
    );
    writer.lastIds.set("users", 100).set("user_groups", 100);
    return writer;
  }

  /** The id of a new row. */
  nextId(table: Numbered): number {
    const id = (this.lastIds.get(table) ?? 0) + 1;
    this.lastIds.set(table, id);
    return id;
  }

  /** Adds a row, unless a row with its key exists already. */
  async add(table: ExportedTable, row: StagedRow): Promise<void> {
    const rows = this.waiting.get(table) ?? [];
    this.waiting.set(table, rows);
    rows.push({ ...row, realm_id: this.realmId });
    if (rows.length >= rowsPerWrite) await this.flush(table);
  }

  private async flush(table: ExportedTable) {
    const rows = this.waiting.get(table) ?? [];
    this.waiting.delete(table);
    if (rows.length === 0) return;
    await this.engine.write(
      this.realmId,
      (tx) => takeRows(tx, table, rows, { passesOver: true }),
      () => undefined,
    );
  }

  /** Adds a file under a new name; answers its size. */
  addFile = (name: string, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<number> =>
    writeNewFile(
      join(this.folder.path, "files", name),
      content instanceof Uint8Array ? onlyChunk(content) : content,
    );

  /** Changes the row of the organization itself, and other existing rows. */
  async change(run: Parameters<Engine["write"]>[1]): Promise<void> {
    await this.flushAll();
    await this.engine.write(this.realmId, run, () => undefined);
  }

  private async flushAll() {
    for (const table of [...this.waiting.keys()]) await this.flush(table);
  }

  /** Ends the writing, after which the organization can be imported. */
  async finish(): Promise<StagedRealm> {
    await this.flushAll();
    await this.engine.close();
    return openStagedRealm(this.folder, this.manifest);
  }

  /** Deletes everything. */
  async discard(): Promise<void> {
    await this.engine.close().catch(() => undefined);
    await this.folder.remove();
  }
}

async function* onlyChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
