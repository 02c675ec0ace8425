import { describe, expect, test } from "bun:test";
import { fieldValueOf, momentOfField, sendTimes } from "../../src/web/model/send-times";

/** Moments that are offered at a time of this computer's zone, as days of the week and hours. */
const offered = (year: number, month: number, day: number, hour: number, minute = 0) =>
  sendTimes(new Date(year, month - 1, day, hour, minute)).map(
    ({ name, at }) => `${name} ${at.getDay()} ${at.getHours()}:${at.getMinutes()}`,
  );

describe("moments to send a message at", () => {
  test("on a Thursday morning are the rest of the day, tomorrow and Monday", () => {
    expect(offered(2026, 11, 26, 9, 20)).toEqual([
      "inAnHour 4 10:20",
      "todayAfternoon 4 14:0",
      "todayEvening 4 18:0",
      "tomorrow 5 9:0",
      "tomorrowAfternoon 5 14:0",
      "monday 1 9:0",
    ]);
  });

  test("are none that is over, or nearly there", () => {
    expect(offered(2026, 11, 26, 13, 45)[1]).toBe("todayEvening 4 18:0");
    expect(offered(2026, 11, 26, 23, 59)).toEqual([
      "inAnHour 5 0:59",
      "tomorrow 5 9:0",
      "tomorrowAfternoon 5 14:0",
      "monday 1 9:0",
    ]);
  });

  test("name Monday once where it is tomorrow, and the next one on a Monday", () => {
    expect(offered(2026, 11, 29, 20).at(-1)).toBe("tomorrowAfternoon 1 14:0");
    const onMonday = sendTimes(new Date(2026, 10, 30, 8)).find(({ name }) => name === "monday");
    expect(onMonday?.at).toEqual(new Date(2026, 11, 7, 9));
  });

  test("are at nine by the clock on the wall on days that have 23 or 25 hours, and in order", () => {
    for (let day = 1; day <= 366; day += 1) {
      const now = new Date(2026, 0, day, 22, 10);
      const times = sendTimes(now);
      expect(times.find(({ name }) => name === "tomorrow")?.at.getHours()).toBe(9);
      const ahead = times.map(({ at }) => at.getTime());
      expect(ahead.every((at) => at > now.getTime())).toBe(true);
    }
  });

  test("are what a field for date and time says", () => {
    const moment = new Date(2026, 2, 5, 7, 4);
    expect(fieldValueOf(moment)).toBe("2026-03-05T07:04");
    expect(momentOfField(fieldValueOf(moment))).toEqual(moment);
    expect(momentOfField("")).toBeUndefined();
  });
});
