import { perServer } from "./per-server";

/** Things that a server counts from its start on, each by a few kinds that the code names. */
export type Tally =
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
export class Tallies {
  private readonly byTally = new Map<Tally, Map<string, number>>();

  /** A kind is a word of the code, never a text of somebody else: each is kept for good. */
  add(tally: Tally, kind: string, by = 1) {
    const counts = this.byTally.get(tally) ?? new Map<string, number>();
    this.byTally.set(tally, counts);
    counts.set(kind, (counts.get(kind) ?? 0) + by);
  }

  /** Count of a kind, or of all kinds together. */
  count(tally: Tally, kind?: string): number {
    if (kind !== undefined) return this.byTally.get(tally)?.get(kind) ?? 0;
    let sum = 0;
    for (const one of this.byTally.get(tally)?.values() ?? []) sum += one;
    return sum;
  }

  /** The kinds that there were so far. */
  kindsOf(tally: Tally): Iterable<string> {
    return this.byTally.get(tally)?.keys() ?? [];
  }
}

export const tallies = perServer(() => new Tallies());
