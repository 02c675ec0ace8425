import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cannotApply } from "./support/api/security-reasons";
import { root } from "./support/root";

const path = join(root, "docs/protocol/security-cases.md");
const text = readFileSync(path, "utf8");

/** `A1` to `K5`, in the order of the file. */
const casesOf = (list: string): string[] =>
  [...list.matchAll(/^([A-Z]\d+)\. /gm)].map(([, id = ""]) => id);

const title = /(?:\b(?:test|describe)(?:\.\w+)*|[\])])\(\s*(["`])((?:\\.|(?!\1).)*)\1\s*,/gs;

/** The cases that the names of tests in a file carry. */
const carriedBy = (source: string): string[] =>
  [...source.matchAll(title)].flatMap(([, , name = ""]) => name.match(/\b[A-Z]\d+\b/g) ?? []);

function carriedByAll(): Set<string> {
  const folder = join(root, "test");
  const files = readdirSync(folder, { recursive: true }).map(String);
  // The example below is none.
  const tests = files.filter(
    (file) => file.endsWith(".test.ts") && file !== basename(import.meta.path),
  );
  return new Set(tests.flatMap((file) => carriedBy(readFileSync(join(folder, file), "utf8"))));
}

test("The name of a test, of a table of tests and of a part carries cases", () => {
  const source = `describe("A1 of tea", () => {
  test("leaves (B2, C3)", async () => undefined);
  test.each([1, 2])(\`D4: %i\`, () => undefined);
  say("E5", 1);
});`;
  expect(carriedBy(source)).toEqual(["A1", "B2", "C3", "D4"]);
  expect(casesOf("## A. Of tea\nA1. It is hot.\nSee B2.\nA2. It is wet.\n")).toEqual(["A1", "A2"]);
});

describe("The security cases", () => {
  const cases = casesOf(text);
  const carried = carriedByAll();

  test("have a test each, or a reason why they cannot apply", () => {
    expect(cases.filter((id) => !carried.has(id) && !Object.hasOwn(cannotApply, id))).toEqual([]);
  });

  test("have no reason that is not needed", () => {
    expect(Object.keys(cannotApply).filter((id) => carried.has(id) || !cases.includes(id))).toEqual(
      [],
    );
  });
});
