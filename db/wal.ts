import type { Database as SqliteFile, Statement } from "bun:sqlite";
import { statSync } from "node:fs";
import type { EngineHooks } from "./engine";
import { isFull } from "./sqlite-error";
import { reportIfFatal } from "./sqlite-group";

/**
 * Number of pages (4 MiB) from which on the write-ahead log is written back to the database, if
 * nobody reads an old state.
 */
const walPagesMax = 1_000;
/** Size from which on it is then truncated. */
export const walSizeBytesMax = 64 * 1024 * 1024;
/**
 * Groups of writes between two counts of its pages, because a count takes a fifth of a commit's
 * time.
 */
const commitsPerCount = 32;
/** Counts between two checks of its file's size. */
const countsPerLook = 8;

/**
 * Keeps the write-ahead log from growing without bound while a reader of another process blocks it
 * for long.
 */
export interface WalWatch {
  /** A group of writes was committed. */
  committed(): void;
  /**
   * Writes all of it back, unless somebody reads an old state. Needed because prepared statements
   * keep a closed file open until they are collected.
   */
  writeBack(): void;
}

/**
 * Watches the log of a database file. Pages that SQLite cannot write back yet, because somebody
 * still reads an old state, are tried again at the next check. A log that has doubled meanwhile is
 * reported.
 */
export function watchWal(path: string, writer: SqliteFile, hooks: EngineHooks): WalWatch {
  const countPages = writer.prepare("PRAGMA wal_checkpoint(NOOP)");
  const writeSomeBack = writer.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  const cutOff = writer.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  let commits = 0;
  let counts = 0;
  let reportedBytes = walSizeBytesMax / 2;
  const checkSize = () => {
    if (sizeOf(`${path}-wal`) <= walSizeBytesMax) return;
    writeBackBy(cutOff);
    const sizeBytes = sizeOf(`${path}-wal`);
    if (sizeBytes <= walSizeBytesMax) {
      reportedBytes = walSizeBytesMax / 2;
      return;
    }
    if (sizeBytes < reportedBytes * 2) return;
    reportedBytes = sizeBytes;
    hooks.warn("wal_grows", { sizeBytes });
  };
  const writeBackBy = (statement: Statement) => {
    const { meter } = hooks;
    const beganAt = meter?.milliseconds() ?? 0;
    checkpoint(statement);
    meter?.wroteBack(meter.milliseconds() - beganAt);
  };
  /** After a failure the disk and the database may disagree, as after a failed commit. */
  const checkpoint = (statement: Statement): unknown[][] => {
    try {
      return statement.values();
    } catch (error) {
      if (!isFull(error)) hooks.warn("checkpoint_failed", { error: String(error) });
      reportIfFatal(hooks, error);
      return [];
    }
  };
  return {
    writeBack: () => void checkpoint(cutOff),
    committed() {
      commits += 1;
      // A snapshot may have begun on this connection since the commit. SQLite would refuse, so the
      // next commit checks again.
      if (commits < commitsPerCount || writer.inTransaction) return;
      commits = 0;
      const [[, pages = 0] = []] = checkpoint(countPages);
      if (Number(pages) >= walPagesMax) writeBackBy(writeSomeBack);
      counts = (counts + 1) % countsPerLook;
      if (counts === 0) checkSize();
    },
  };
}

/** Size in bytes of a file; 0 where there is none. */
export const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
