/** Times that are offered for sending a message later, or for a reminder. */
export type SendTimeName =
  | "inAnHour"
  | "todayAfternoon"
  | "todayEvening"
  | "tomorrow"
  | "tomorrowAfternoon"
  | "monday";

interface SendTime {
  readonly name: SendTimeName;
  readonly at: Date;
}

/** Hours of the day at which people read messages. */
const hours = { morning: 9, afternoon: 14, evening: 18 } as const;

/** The least time ahead for a time that is called "later". */
const leastAheadMilliseconds = 30 * 60_000;

const hourMilliseconds = 3_600_000;
const monday = 1;

/** The offered times after now, in the time zone of this computer, the nearest first. */
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
  // If tomorrow is Monday, one of the two names is enough.
  return all.filter(
    ({ name, at }) =>
      at.getTime() - now.getTime() >= leastAheadMilliseconds &&
      (name !== "monday" || daysToMonday > 1),
  );
}

/**
 * An hour of the day, some days from now. It uses the calendar, because a day can have 23 or 25
 * hours.
 */
const onDay = (now: Date, days: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);

/** A moment as the value of a date and time field, in the time zone of this computer. */
export function fieldValueOf(moment: Date): string {
  const two = (count: number) => String(count).padStart(2, "0");
  const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join("-");
  return `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

/** The moment in a date and time field; undefined if the field has no valid value. */
export function momentOfField(value: string): Date | undefined {
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** A moment in the API's form (UNIX seconds). */
export const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000);
