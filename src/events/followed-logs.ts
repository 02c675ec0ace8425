import type { Engine } from "../../db/engine";
import type { LogEntry } from "../core/context";
import { readLogHead } from "../memory/log-head";
import { appendEntry, dropEntries, makeRealmLog, type RealmLog, readLogPage } from "./realm-log";

/** Room in memory for the newest parts of all logs together: their bytes and their entries. */
export const logsMax = { sizeBytes: 128 * 1024 * 1024, entries: 100_000 };

/** Callbacks of the server's parts for the logs that a process follows. */
interface Followers {
  /** An entry was added to a log. Entries come in the order of their ids, each once. */
  added(entry: LogEntry): void;
  /** A log was read up to its end. */
  caughtUp(log: RealmLog): void;
  failed(error: unknown): void;
}

/** The newest parts of the event logs of organizations whose clients this process serves. */
export class FollowedLogs {
  private readonly opening = new Map<number, Promise<RealmLog>>();
  private readonly open = new Map<number, RealmLog>();
  /** The logs with entries in memory, the one that has grown last at the end. */
  private readonly filled = new Set<RealmLog>();
  private sizeBytes = 0;
  private entries = 0;

  constructor(
    private readonly engine: Pick<Engine, "reader">,
    private readonly followers: Followers,
  ) {}

  /** The log of a realm, if it is already followed. */
  find(realmId: number): RealmLog | undefined {
    return this.open.get(realmId);
  }

  all(): Iterable<RealmLog> {
    return this.open.values();
  }

  /** The log of a realm, which is followed from now on. */
  follow(realmId: number): Promise<RealmLog> {
    let log = this.opening.get(realmId);
    if (!log) {
      log = readLogHead(this.engine.reader, realmId).then((head) => {
        const opened = makeRealmLog(realmId, head);
        this.open.set(realmId, opened);
        return this.catchUp(opened).then(() => opened);
      });
      log.catch(() => this.opening.delete(realmId));
      this.opening.set(realmId, log);
    }
    return log;
  }

  /**
   * Reads the new entries of a log. Overlapping calls share one read. After a failure, the next
   * call tries again.
   */
  catchUp(log: RealmLog): Promise<void> {
    if (log.catchingUp) {
      log.catchUpAgain = true;
      return log.catchingUp;
    }
    log.catchingUp = this.readNewEntries(log)
      .then(() => this.followers.caughtUp(log))
      .catch((error: unknown) => {
        log.catchingUp = undefined;
        this.followers.failed(error);
      });
    return log.catchingUp;
  }

  private async readNewEntries(log: RealmLog) {
    do {
      log.catchUpAgain = false;
      for (;;) {
        const page = await readLogPage(this.engine.reader, log.realmId, log.head);
        for (const entry of page) this.append(log, entry);
        if (page.length === 0) break;
      }
    } while (log.catchUpAgain);
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
   * Lets go of the entries of the organizations in which nothing has happened for the longest time.
   * Clients who still need some get them from the database.
   */
  private makeRoom() {
    for (const log of this.filled) {
      if (this.sizeBytes <= logsMax.sizeBytes && this.entries <= logsMax.entries) return;
      this.count(log, () => dropEntries(log));
      this.filled.delete(log);
    }
  }

  /** Takes the change of a log's size into the sums. */
  private count(log: RealmLog, change: () => void) {
    this.sizeBytes -= log.sizeBytes;
    this.entries -= log.entries.length;
    change();
    this.sizeBytes += log.sizeBytes;
    this.entries += log.entries.length;
  }
}
