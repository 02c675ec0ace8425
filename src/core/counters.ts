import { perServer } from "./per-server";

/** Things that a server counts from its start on, each by a few kinds that the code names. */
type CounterName =
  | "mails"
  | "pushes"
  | "refusals"
  | "sign_in_failures"
  | "stored_file_bytes"
  | "spans";

/**
 * Counts of things that happen too seldom for a count to cost anything, so that they are always
 * kept: metrics show them.
 */
class Counters {
  private readonly byName = new Map<CounterName, Map<string, number>>();

  /** A kind is a word of the code, never a text of somebody else: each is kept for good. */
  add(name: CounterName, kind: string, by = 1) {
    const counts = this.byName.get(name) ?? new Map<string, number>();
    this.byName.set(name, counts);
    counts.set(kind, (counts.get(kind) ?? 0) + by);
  }

  /** Count of a kind, or of all kinds together. */
  count(name: CounterName, kind?: string): number {
    if (kind !== undefined) return this.byName.get(name)?.get(kind) ?? 0;
    let sum = 0;
    for (const one of this.byName.get(name)?.values() ?? []) sum += one;
    return sum;
  }

  /** The kinds that there were so far. */
  kindsOf(name: CounterName): Iterable<string> {
    return this.byName.get(name)?.keys() ?? [];
  }
}

export const serverCounters = perServer(() => new Counters());
