/**
 * The most ids that a table may have given out since a backup: a fixed number, and a number for
 * each second since then.
 */
interface Spare {
  atOnce: number;
  perSecond: number;
}

/** More ids than the largest organizations use on average, day and night. */
const spares: Readonly<Record<string, Spare>> = {
  messages: { atOnce: 1_000_000, perSecond: 100 },
  event_log: { atOnce: 10_000_000, perSecond: 1_000 },
};
const otherSpare: Spare = { atOnce: 10_000, perSecond: 1 };

/**
 * The id after which a restored table continues. Ids that were given out after the backup are lost
 * here, but clients remember them, and links and mails contain them, so new messages, people and
 * events must never reuse them.
 */
export function numberingAfter(
  lastIds: Readonly<Record<string, number>> | undefined,
  elapsedSeconds: number,
): (table: string) => number {
  return (table) => {
    const { atOnce, perSecond } = spares[table] ?? otherSpare;
    return (lastIds?.[table] ?? 0) + atOnce + perSecond * Math.max(0, elapsedSeconds);
  };
}
