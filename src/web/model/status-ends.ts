/** Ends that are offered for a status. */
export type StatusEndName = "halfHour" | "hour" | "today" | "tomorrow" | "week";

interface StatusEnd {
  readonly name: StatusEndName;
  readonly at: Date;
}

const minuteMilliseconds = 60_000;
const monday = 1;

/** Ends of a status that begins now, in the zone of this computer: the nearest of a kind first. */
export function statusEnds(now: Date): readonly StatusEnd[] {
  const inMinutes = (count: number) => new Date(now.getTime() + count * minuteMilliseconds);
  const daysToMonday = (monday - now.getDay() + 7) % 7 || 7;
  const all: readonly StatusEnd[] = [
    { name: "halfHour", at: inMinutes(30) },
    { name: "hour", at: inMinutes(60) },
    { name: "today", at: beginningOf(now, 1) },
    { name: "tomorrow", at: beginningOf(now, 2) },
    { name: "week", at: beginningOf(now, daysToMonday) },
  ];
  // On a weekend the week ends with today or tomorrow, and one name for that is enough.
  return all.filter(({ name }) => name !== "week" || daysToMonday > 2);
}

/** Midnight at the beginning of a day, so many days from now: by the calendar, as days differ. */
const beginningOf = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
