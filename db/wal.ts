import type { Database as SqliteFile } from "bun:sqlite";
import { statSync } from "node:fs";
import type { EngineHooks } from "./engine";

/** From this size on the write-ahead log is written back to the database; SQLite does so by itself at 4 MiB, if nobody reads. */
export const walSizeBytesMax = 64 * 1024 * 1024;
/** How often its size is looked at, in groups of writes: a look costs a few microseconds. */
const commitsPerLook = 256;

/** Keeps the write-ahead log from growing without bound when a reader of another process stands in the way for long. */
export interface WalWatch {
  /** A group of writes was committed. */
  committed(): void;
  /** Writes all of it back, unless somebody reads an old state: prepared statements keep a closed file open until they are collected. */
  writeBack(): void;
}

/**
 * Watches the log of a database file. What SQLite cannot write back yet, because somebody still reads an old state, is
 * tried again at the next look; a log that has doubled meanwhile is reported.
 */
export function watchWal(path: string, writer: SqliteFile, hooks: EngineHooks): WalWatch {
  let commits = 0;
  let reportedBytes = walSizeBytesMax / 2;
  const look = () => {
    if (sizeOf(`${path}-wal`) <= walSizeBytesMax) return;
    checkpoint();
    const sizeBytes = sizeOf(`${path}-wal`);
    if (sizeBytes <= walSizeBytesMax) {
      reportedBytes = walSizeBytesMax / 2;
      return;
    }
    if (sizeBytes < reportedBytes * 2) return;
    reportedBytes = sizeBytes;
    hooks.warn("wal_grows", { sizeBytes });
  };
  const checkpoint = () => {
    try {
      writer.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
    } catch (error) {
      hooks.warn("checkpoint_failed", { error: String(error) });
    }
  };
  return {
    writeBack: checkpoint,
    committed() {
      commits += 1;
      if (commits % commitsPerLook === 0) look();
    },
  };
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
