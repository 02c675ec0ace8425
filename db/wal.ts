import type { Database as SqliteFile, Statement } from "bun:sqlite";
import { statSync } from "node:fs";
import type { EngineHooks } from "./engine";
import { isFull } from "./sqlite-error";
import { reportIfFatal } from "./sqlite-group";

/**
 * Number of pages (4 MiB) from which on the write-ahead log is written back to the database, unless
 * a reader still reads an older state.
 */
const walPagesMax = 1_000;
/** Size of the log from which on its file is truncated after that. */
const walSizeBytesMax = 64 * 1024 * 1024;
/**
 * Number of groups of writes between two counts of the log's pages, because a count takes a fifth
 * of a commit's time.
 */
const commitsPerCount = 32;
/** Number of counts between two checks of the size of the log's file. */
const countsPerSizeCheck = 8;

/**
 * Keeps the write-ahead log from growing without limit while a reader of another process blocks it
 * for long.
 */
export interface WalWatch {
  /** Called when a group of writes was committed. */
  committed(): void;
  /**
   * Writes the whole log back, unless a reader still reads an older state. This is needed because
   * prepared statements keep a closed file open until they are garbage-collected.
   */
  writeBack(): void;
}

/**
 * Watches the log of a database file. If SQLite cannot write pages back yet, because a reader still
 * reads an older state, the next check tries again. A log that has doubled meanwhile is logged as a
 * problem.
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
  /**
   * Reports a failure as fatal, because afterwards the disk and the database may disagree, as after
   * a failed commit.
   */
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
      // A snapshot may have begun on this connection since the commit. SQLite would refuse the
      // checkpoint, so the next commit checks again.
      if (commits < commitsPerCount || writer.inTransaction) return;
      commits = 0;
      const [[, pages = 0] = []] = checkpoint(countPages);
      if (Number(pages) >= walPagesMax) writeBackBy(writeSomeBack);
      counts = (counts + 1) % countsPerSizeCheck;
      if (counts === 0) checkSize();
    },
  };
}

/** Size in bytes of a file; 0 where there is none. */
export const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
