import { describe, expect, test } from "bun:test";
import { fieldValueOf } from "../../src/web/model/send-times";
import {
  endNow,
  momentOfEnd,
  type StatusEndName,
  statusEnds,
} from "../../src/web/model/status-ends";

const at = (year: number, month: number, day: number, hour: number, minute = 0): Date =>
  new Date(year, month - 1, day, hour, minute);
const endOf = (name: StatusEndName, now: Date): Date | undefined =>
  statusEnds(now).find((end) => end.name === name)?.at;

describe("ends of a status", () => {
  test("are half an hour, an hour, and the ends of days and of the week", () => {
    const thursday = at(2026, 11, 26, 23, 45);
    expect(statusEnds(thursday)).toEqual([
      { name: "halfHour", at: at(2026, 11, 27, 0, 15) },
      { name: "hour", at: at(2026, 11, 27, 0, 45) },
      { name: "today", at: at(2026, 11, 27, 0) },
      { name: "tomorrow", at: at(2026, 11, 28, 0) },
      { name: "week", at: at(2026, 11, 30, 0) },
    ]);
  });

  test("name the end of the week once where it is that of today or tomorrow", () => {
    expect(endOf("week", at(2026, 11, 28, 9))).toBeUndefined();
    expect(endOf("week", at(2026, 11, 29, 9))).toBeUndefined();
    expect(endOf("week", at(2026, 11, 30, 9))).toEqual(at(2026, 12, 7, 0));
  });

  test("are midnights by the clock on the wall on each day of a year, and to come", () => {
    for (let day = 1; day <= 366; day += 1) {
      const now = new Date(2026, 0, day, 23, 59);
      for (const name of ["today", "tomorrow"] as const)
        expect(endOf(name, now)?.getHours()).toBe(0);
      expect(statusEnds(now).every((end) => end.at > now)).toBe(true);
    }
  });
});

describe("an end that was chosen", () => {
  const friday = at(2026, 11, 27, 18);
  const saturday = at(2026, 11, 28, 9);
  const monday = at(2026, 11, 30, 0);
  const chosen = (end: StatusEndName | "own", moment: Date) => ({
    end,
    at: moment,
    when: fieldValueOf(moment),
  });

  test("keeps its moment where it is not offered any more", () => {
    const week = chosen("week", monday);
    expect([endNow(week, friday), momentOfEnd(week, friday)]).toEqual(["week", monday]);
    expect([endNow(week, saturday), momentOfEnd(week, saturday)]).toEqual(["own", monday]);
  });

  test("counts from the moment at which it is saved, where it is a while", () => {
    const hour = chosen("hour", at(2026, 11, 27, 19));
    expect(momentOfEnd(hour, saturday)).toEqual(at(2026, 11, 28, 10));
  });

  test("has its seconds until another minute is chosen", () => {
    const moment = new Date(2026, 10, 27, 18, 30, 59);
    const own = chosen("own", moment);
    expect(momentOfEnd(own, friday)).toEqual(moment);
    expect(momentOfEnd({ ...own, when: "2026-11-27T18:31" }, friday)).toEqual(
      at(2026, 11, 27, 18, 31),
    );
  });

  test("is none where it is never, or no moment", () => {
    expect(momentOfEnd({ end: "never", when: "" }, friday)).toBeUndefined();
    expect(momentOfEnd({ end: "own", when: "" }, friday)).toBeUndefined();
  });
});
