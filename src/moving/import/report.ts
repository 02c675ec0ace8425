import { isRecord } from "../../core/json/record";
/** A skipped item, and the reason. */
export interface Skipped {
  /** Its kind, by the name in the file: `messages`, `users.json`. */
  what: string;
  /** Name of the item. */
  which: string;
  why: string;
}

/**
 * Collects skipped items: counts them by reason, and passes each to a caller who wants to know it.
 */
export class SkipReport {
  readonly counts: Record<string, number> = {};

  constructor(
    countsSoFar: Readonly<Record<string, number>> = {},
    private readonly tell: (skipped: Skipped) => void = () => undefined,
  ) {
    Object.assign(this.counts, countsSoFar);
  }

  add(what: string, which: string | number, why: string): void {
    const reason = `${what}: ${why}`;
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
    this.tell({ what, which: String(which), why });
  }
}

/** The counts of a report in JSON. */
export function parseCounts(json: string): Record<string, number> {
  const parsed: unknown = JSON.parse(json);
  const entries = isRecord(parsed) ? Object.entries(parsed) : [];
  return Object.fromEntries(entries.map(([reason, count]) => [reason, Number(count)]));
}
