import type { EngineMeter } from "../../db/measure";
import { steadyMilliseconds } from "../core/clock";
import type { Exposition } from "./exposition";
import { diskSeconds, groupWrites, Histogram } from "./histogram";

/** Measures groups of writes and their way to the disk. */
export class DatabaseMeter implements EngineMeter {
  private readonly writes = new Histogram(groupWrites);
  private readonly transactions = new Histogram(diskSeconds);
  private readonly commits = new Histogram(diskSeconds);
  private readonly writeBacks = new Histogram(diskSeconds);

  readonly milliseconds = steadyMilliseconds;

  committed({ writes, milliseconds, commitMilliseconds }: Parameters<EngineMeter["committed"]>[0]) {
    this.writes.observe(writes);
    this.transactions.observe(milliseconds / 1_000);
    this.commits.observe(commitMilliseconds / 1_000);
  }

  wroteBack(milliseconds: number) {
    this.writeBacks.observe(milliseconds / 1_000);
  }

  addTo(page: Exposition, hasLog: boolean) {
    page.add("chatd_database_writes_total", this.writes.sum);
    page.addHistogram("chatd_database_group_writes", this.writes);
    page.addHistogram("chatd_database_transaction_duration_seconds", this.transactions);
    page.addHistogram("chatd_database_commit_duration_seconds", this.commits);
    if (hasLog) page.addHistogram("chatd_sqlite_checkpoint_duration_seconds", this.writeBacks);
  }
}
