import { fieldValueOf, momentOfField } from "./send-times";

/** End times that are offered for a status. */
export type StatusEndName = "halfHour" | "hour" | "today" | "tomorrow" | "week";

interface StatusEnd {
  readonly name: StatusEndName;
  readonly at: Date;
}

const minuteMilliseconds = 60_000;
const monday = 1;

/**
 * The offered end times for a status that begins now, in the time zone of this computer, the
 * nearest of each kind first.
 */
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
  // On a weekend, the end of the week is today or tomorrow, so one of the two names is enough.
  return all.filter(({ name }) => name !== "week" || daysToMonday > 2);
}

/**
 * Midnight at the beginning of a day, some days from now. It uses the calendar, because days differ
 * in length.
 */
const beginningOf = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);

/** An end time that somebody has chosen. */
export interface ChosenEnd {
  /** Never, one of the offered times, or the time in the field. */
  readonly end: "never" | StatusEndName | "own";
  /** The chosen time, computed when it was chosen; undefined if none was chosen. */
  readonly at?: Date | undefined;
  /** The value of the date and time field. */
  readonly when: string;
}

/**
 * The chosen end now. A time that was offered earlier and is no longer offered becomes a time in
 * the field.
 */
export const endNow = ({ end }: ChosenEnd, now: Date): ChosenEnd["end"] =>
  end === "never" || statusEnds(now).some(({ name }) => name === end) ? end : "own";

/**
 * The moment of a chosen end; undefined if there is none. The field shows no seconds, so if it
 * still shows the minute of the chosen moment, the exact moment is returned.
 */
export function momentOfEnd({ end, at, when }: ChosenEnd, now: Date): Date | undefined {
  if (end === "never") return undefined;
  const offered = statusEnds(now).find(({ name }) => name === end);
  if (offered) return offered.at;
  return at && fieldValueOf(at) === when ? at : momentOfField(when);
}
