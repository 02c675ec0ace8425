/** Moments that are offered for a message to be sent at, or to be reminded at. */
export type SendTimeName =
  | "inAnHour"
  | "todayAfternoon"
  | "todayEvening"
  | "tomorrow"
  | "tomorrowAfternoon"
  | "monday";

export interface SendTime {
  readonly name: SendTimeName;
  readonly at: Date;
}

/** Hours of the day at which people read. */
const hours = { morning: 9, afternoon: 14, evening: 18 } as const;

/** Less than so long ahead is no "later". */
const leastAheadMilliseconds = 30 * 60_000;

const hourMilliseconds = 3_600_000;
const monday = 1;

/** Moments ahead of now, in the zone of this computer: the nearest first. */
export function sendTimes(now: Date): readonly SendTime[] {
  const daysToMonday = (monday - now.getDay() + 7) % 7 || 7;
  const all: readonly SendTime[] = [
    { name: "inAnHour", at: new Date(now.getTime() + hourMilliseconds) },
    { name: "todayAfternoon", at: onDay(now, 0, hours.afternoon) },
    { name: "todayEvening", at: onDay(now, 0, hours.evening) },
    { name: "tomorrow", at: onDay(now, 1, hours.morning) },
    { name: "tomorrowAfternoon", at: onDay(now, 1, hours.afternoon) },
    { name: "monday", at: onDay(now, daysToMonday, hours.morning) },
  ];
  // Where tomorrow is Monday, one name for it is enough.
  return all.filter(
    ({ name, at }) =>
      at.getTime() - now.getTime() >= leastAheadMilliseconds &&
      (name !== "monday" || daysToMonday > 1),
  );
}

/** An hour of a day so many days from now: by the calendar, because days have 23 or 25 hours too. */
const onDay = (now: Date, days: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);

/** A moment as the value of a field for date and time, in the zone of this computer. */
export function fieldValueOf(moment: Date): string {
  const two = (count: number) => String(count).padStart(2, "0");
  const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join("-");
  return `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

/** The moment that a field for date and time says; undefined where it says none. */
export function momentOfField(value: string): Date | undefined {
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** A moment in the form of the API. */
export const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000);
