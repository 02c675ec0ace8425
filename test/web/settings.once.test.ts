import { describe, expect, test } from "bun:test";
import { languageCodes } from "../../src/realm/settings";
import { sideOf, wholeCrop, withinPicture } from "../../src/web/model/crop";
import { choicesOfField, idsOfValue } from "../../src/web/model/profile";
import { sectionOf } from "../../src/web/model/setting-sections";
import { languageName, languageCodes as offeredCodes } from "../../src/web/settings/languages";

test("every language that the server takes is offered, by its own name", () => {
  expect(offeredCodes).toEqual(languageCodes);
  expect(languageName("de")).toBe("Deutsch");
});

test("an address that names no section leads to the profile", () => {
  expect(["alerts", "", "toString", "constructor"].map(sectionOf)).toEqual([
    "alerts",
    "profile",
    "profile",
    "profile",
  ]);
});

describe("a crop", () => {
  const size = { width: 90, height: 60 };

  test("begins as the largest square in the middle", () => {
    expect(wholeCrop(size)).toEqual({ x: 45, y: 30, zoom: 1 });
    expect(sideOf(size, wholeCrop(size))).toBe(60);
  });

  test("stays inside the picture, however far it is moved", () => {
    expect(withinPicture(size, { x: -50, y: 500, zoom: 1 })).toEqual({ x: 30, y: 30, zoom: 1 });
    expect(withinPicture(size, { x: 500, y: 500, zoom: 2 })).toEqual({ x: 75, y: 45, zoom: 2 });
  });

  test("is enlarged within bounds, of pictures of one pixel too", () => {
    expect(withinPicture(size, { x: 45, y: 30, zoom: 99 }).zoom).toBe(5);
    const dot = { width: 1, height: 1 };
    expect(withinPicture(dot, wholeCrop(dot))).toEqual({ x: 0.5, y: 0.5, zoom: 1 });
  });
});

describe("fields of a profile", () => {
  test("have their choices in order", () => {
    const field_data = '{"b":{"text":"Two","order":"10"},"a":{"text":"One","order":"9"}}';
    expect(choicesOfField({ field_data })).toEqual([
      ["a", "One"],
      ["b", "Two"],
    ]);
    expect(choicesOfField({ field_data: "" })).toEqual([]);
  });

  test("name people by their ids, and nobody where the answer is none", () => {
    expect(idsOfValue("[7,9]")).toEqual([7, 9]);
    expect([idsOfValue(""), idsOfValue("7"), idsOfValue('["x"]')]).toEqual([[], [], []]);
  });
});
