import { sql } from "drizzle-orm";
import type { Engine } from "../../db/engine";
import { type Given, statement } from "../../db/reader";
import { wantedAt, wantedRows } from "../../db/sql/json";
import type { LogEntry } from "../core/context";
import { badRequest } from "../core/errors";
import { findEntryUpTo, lacksEntry, logHeadIn } from "../memory/log-head";
import { forgetAll } from "../memory/realm-memory";
import {
  appendEntry,
  type CatchUp,
  dropEntries,
  entryOf,
  hasInMemory,
  lastIdAfter,
  makeRealmLog,
  type RealmLog,
  readLogPage,
} from "./realm-log";

/** Limits for the newest parts of all logs in memory together: their bytes and their entries. */
export const logsMax = { sizeBytes: 128 * 1024 * 1024, entries: 100_000 };

/** The realms, of a list with the newest ids that were read, whose logs have newer entries. */
const selectGrown = statement((db, t, given: Given<{ heads: string }>, dialect) => {
  const [realmId, head] = [wantedAt(dialect, 0), wantedAt(dialect, 1)];
  return db
    .select({ realmId: sql<number>`${realmId}`.mapWith(Number) })
    .from(wantedRows(dialect, given.heads))
    .where(sql`${logHeadIn(t, realmId)} > ${head}`);
});

/** Callbacks for changes of the logs that a process follows. */
interface Followers {
  /** An entry was added to a log. Each entry is reported once, in the order of ids. */
  added(entry: LogEntry): void;
  /** A log was read up to its end. */
  caughtUp(log: RealmLog): void;
  failed(error: unknown): void;
}

/** The newest parts of the event logs of organizations whose clients this process serves. */
export class FollowedLogs {
  private readonly opening = new Map<number, Promise<RealmLog>>();
  private readonly open = new Map<number, RealmLog>();
  /** The logs that have entries in memory. The log that has grown last is at the end. */
  private readonly filled = new Set<RealmLog>();
  /** Newest entries when a connection was lost or replaced that were not looked for since. */
  private readonly unchecked = new Map<string, Pick<RealmLog, "realmId" | "head" | "headDigest">>();
  private sizeBytes = 0;
  private entries = 0;

  constructor(
    private readonly engine: Pick<Engine, "reader">,
    private readonly followers: Followers,
  ) {}

  /** The log of a realm, if this process follows it already. */
  find(realmId: number): RealmLog | undefined {
    return this.open.get(realmId);
  }

  all(): Iterable<RealmLog> {
    return this.open.values();
  }

  /** The log of a realm. This process follows it from now on. */
  follow(realmId: number): Promise<RealmLog> {
    let log = this.opening.get(realmId);
    if (!log) {
      const end = Number.MAX_SAFE_INTEGER;
      log = findEntryUpTo(this.engine.reader, realmId, end).then((newest) => {
        const opened = makeRealmLog(realmId, newest);
        this.open.set(realmId, opened);
        return this.catchUp(opened).then(() => opened);
      });
      log.catch(() => this.opening.delete(realmId));
      this.opening.set(realmId, log);
    }
    return log;
  }

  /**
   * Notes the newest entries that were read here, because the connection to the database is lost.
   * Answers the check, for the time when it is back, whether the database lacks one of them, as
   * after a failover to a PostgreSQL that did not have the last writes yet. Entries are noted until
   * a check has succeeded. Cached data is dropped, because that of other organizations is not
   * looked for.
   */
  connectionLost(): () => Promise<boolean> {
    this.noteLoss();
    return async () => {
      // Other connections may have brought entries of the lost primary after this one was lost.
      this.noteLoss();
      for (const [key, { realmId, head: id, headDigest: digest }] of [...this.unchecked]) {
        if (await lacksEntry(this.engine.reader, realmId, { id, digest })) return true;
        this.unchecked.delete(key);
      }
      return false;
    };
  }

  private noteLoss() {
    forgetAll(this.engine.reader);
    for (const { realmId, head, headDigest } of this.all())
      this.unchecked.set(`${realmId} ${head}`, { realmId, head, headDigest });
  }

  /**
   * Whether a node may have given out a wire id: its entry is in the log, or was tidied. If another
   * node has written the entry, it is read first. Throws if that fails, because then nobody knows,
   * and `BAD_REQUEST` for an id after the newest entry, as the reference server does.
   */
  async mayHaveGiven(log: RealmLog, id: number): Promise<boolean> {
    if (id > lastIdAfter(log)) {
      const failure = await this.catchUp(log);
      if (failure !== undefined) throw failure;
    }
    if (id > lastIdAfter(log)) throw badRequest(`Event ${id} was never in this queue.`);
    const entryId = entryOf(id);
    if (entryId > log.start) return hasInMemory(log, entryId);
    return !(await lacksEntry(this.engine.reader, log.realmId, { id: entryId }));
  }

  /**
   * Reads the new entries of a log. Calls at one time share one read. Answers the error if the read
   * has failed, after which the next call tries again.
   */
  catchUp(log: RealmLog, asked: CatchUp = "read"): Promise<unknown> {
    if (log.catchingUp) {
      if (log.catchUpNext !== "read") log.catchUpNext = asked;
      return log.catchingUp;
    }
    log.catchingUp = this.readNewEntries(log, asked)
      .then(() => this.followers.caughtUp(log))
      .catch((error: unknown) => {
        log.catchingUp = undefined;
        this.followers.failed(error);
        return error;
      });
    return log.catchingUp;
  }

  /**
   * Reads the new entries of all logs. One statement asks which logs have any, because most have
   * none. Each log counts as being read from now on.
   */
  catchUpAll() {
    const heads = [...this.all()].map(({ realmId, head }) => [realmId, head]);
    if (heads.length === 0) return;
    const grown = this.grownSince(heads);
    // A log for which there was a later question does not wait for this one.
    grown.catch(() => undefined);
    for (const log of this.all()) void this.catchUp(log, grown);
  }

  private async grownSince(heads: readonly number[][]): Promise<ReadonlySet<number>> {
    const rows = await selectGrown(this.engine.reader, { heads: JSON.stringify(heads) });
    return new Set(rows.map(({ realmId }) => realmId));
  }

  private async readNewEntries(log: RealmLog, asked: CatchUp) {
    for (let now: CatchUp | undefined = asked; now; now = log.catchUpNext) {
      log.catchUpNext = undefined;
      if (now !== "read" && !(await now).has(log.realmId)) continue;
      for (;;) {
        const page = await readLogPage(this.engine.reader, log.realmId, log.head);
        for (const entry of page) this.append(log, entry);
        if (page.length === 0) break;
      }
    }
    log.catchingUp = undefined;
  }

  append(log: RealmLog, entry: LogEntry) {
    if (entry.id <= log.head) return;
    this.count(log, () => appendEntry(log, entry));
    this.filled.delete(log);
    this.filled.add(log);
    this.makeRoom();
    this.followers.added(entry);
  }

  /**
   * Drops the entries of organizations from memory, first those in which nothing has happened for
   * the longest time. Clients that still need such entries get them from the database.
   */
  private makeRoom() {
    for (const log of this.filled) {
      if (this.sizeBytes <= logsMax.sizeBytes && this.entries <= logsMax.entries) return;
      this.count(log, () => dropEntries(log));
      this.filled.delete(log);
    }
  }

  /** Makes a change of a log, and adds the change of its size to the totals. */
  private count(log: RealmLog, change: () => void) {
    this.sizeBytes -= log.sizeBytes;
    this.entries -= log.entries.length;
    change();
    this.sizeBytes += log.sizeBytes;
    this.entries += log.entries.length;
  }
}
