import { fieldValueOf, momentOfField } from "./send-times";

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

/** An end as somebody has chosen it. */
export interface ChosenEnd {
  /** Never, one that was offered, or the moment of the field. */
  readonly end: "never" | StatusEndName | "own";
  /** The moment of the end when it was chosen; undefined where none was. */
  readonly at?: Date | undefined;
  /** Value of the field for the date and time. */
  readonly when: string;
}

/** An end that was offered when it was chosen, and is not any more, counts as its moment. */
export const endNow = ({ end }: ChosenEnd, now: Date): ChosenEnd["end"] =>
  end === "never" || statusEnds(now).some(({ name }) => name === end) ? end : "own";

/**
 * The moment of a chosen end; undefined where there is none. The field shows no seconds, so that one
 * which still shows the minute of the moment stands for the moment itself.
 */
export function momentOfEnd({ end, at, when }: ChosenEnd, now: Date): Date | undefined {
  if (end === "never") return undefined;
  const offered = statusEnds(now).find(({ name }) => name === end);
  if (offered) return offered.at;
  return at && fieldValueOf(at) === when ? at : momentOfField(when);
}
