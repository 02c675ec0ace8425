/**
 * Highest number of ids that a table is taken to have given out since a backup: some at once, and
 * some in each second.
 */
interface Spare {
  atOnce: number;
  perSecond: number;
}

/** More than the largest organizations write on average, day and night. */
const spares: Readonly<Record<string, Spare>> = {
  messages: { atOnce: 1_000_000, perSecond: 100 },
  event_log: { atOnce: 10_000_000, perSecond: 1_000 },
};
const otherSpare: Spare = { atOnce: 10_000, perSecond: 1 };

/**
 * After which id a restored table goes on. Ids given out after the backup are lost here, but
 * clients remember them, and links and e-mails name them: new messages, people and events never get
 * the ids of those.
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
