import { expect, test } from "bun:test";
import { momentForms } from "../../src/web/model/moments";

test("moments are told by the count of hours that their reader has chosen", () => {
  const afternoon = new Date(2026, 10, 26, 14, 5);
  const told = (isTo24: boolean) => {
    const { hour, whole, near } = momentForms("en", isTo24);
    return [hour, whole, near].map((form) => form(afternoon).replaceAll("\u202f", " "));
  };
  expect(told(true)).toEqual([
    "14:05",
    "Nov 26, 2026, 14:05",
    expect.stringMatching(/^Thursday, November 26.* 14:05$/),
  ]);
  expect(told(false)).toEqual([
    "2:05 PM",
    "Nov 26, 2026, 2:05 PM",
    expect.stringMatching(/^Thursday, November 26.* 2:05 PM$/),
  ]);
});
