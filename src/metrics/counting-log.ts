import type { Log, LogFields, LogLevel } from "../core/log";
import type { Exposition } from "./exposition";

/** Counts warnings and errors of the log by their names, which are constants in the code. */
export class LogCounts {
  private readonly counts = new Map<string, { level: LogLevel; event: string; count: number }>();

  /** A log that counts all its entries, including those below its level. */
  countingOf(log: Log): Log {
    const counting = (level: "warn" | "error") => (event: string, fields?: LogFields) => {
      this.count(level, event);
      log[level](event, fields);
    };
    return { ...log, warn: counting("warn"), error: counting("error") };
  }

  addTo(page: Exposition) {
    for (const { level, event, count } of this.counts.values())
      page.add("chatd_log_entries_total", count, { level, event });
  }

  private count(level: LogLevel, event: string) {
    const key = `${level} ${event}`;
    const counted = this.counts.get(key) ?? { level, event, count: 0 };
    counted.count += 1;
    this.counts.set(key, counted);
  }
}
