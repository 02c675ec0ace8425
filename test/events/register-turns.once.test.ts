import { expect, test } from "bun:test";
import { JsonMembers } from "../../src/core/json/raw-json";
import { writeState } from "../../src/register/register";
import { turnsDuring } from "../support/turns";

const ids = Array.from({ length: 20_000 }, (_, index) => 100_000 + index);

test("Each long part of a state, such as many unread messages, is written in a turn of its own", async () => {
  const parts = 8;
  const state = Array.from({ length: parts }, (_, index) => ({ [`unread_${index}`]: ids }));
  let written = "";
  const turns = await turnsDuring(async () => {
    written = (await writeState('"a":1', state, false)).pieces.join("");
  });
  expect(JSON.parse(`{${written}}`)).toEqual(Object.assign({ a: 1 }, ...state));
  expect(turns).toBeGreaterThanOrEqual(parts);
});

test("Short parts are written at once", async () => {
  const state = Array.from({ length: 8 }, (_, index) => new JsonMembers(`"part_${index}":[]`));
  const turns = await turnsDuring(() => writeState('"a":1', state, false));
  expect(turns).toBeLessThan(8);
});
