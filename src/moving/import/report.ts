import { isRecord } from "../../core/record";
/** Item that was left out, and why. */
export interface Skipped {
  /** Of what, as it is called in the file: `messages`, `users.json`. */
  what: string;
  /** Name of the item. */
  which: string;
  why: string;
}

/**
 * Takes note of what is left out: counts by reason, and every single one where somebody wants to
 * know.
 */
export class SkipReport {
  readonly counts: Record<string, number> = {};

  constructor(
    known: Readonly<Record<string, number>> = {},
    private readonly tell: (skipped: Skipped) => void = () => undefined,
  ) {
    Object.assign(this.counts, known);
  }

  add(what: string, which: string | number, why: string): void {
    const reason = `${what}: ${why}`;
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
    this.tell({ what, which: String(which), why });
  }
}

/** The counts of a report that was stored as JSON. */
export function parseCounts(json: string): Record<string, number> {
  const parsed: unknown = JSON.parse(json);
  const entries = isRecord(parsed) ? Object.entries(parsed) : [];
  return Object.fromEntries(entries.map(([reason, count]) => [reason, Number(count)]));
}
