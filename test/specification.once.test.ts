import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { shown, showsOf } from "./support/api/specification/coverage";
import { findRows, parseRows } from "./support/api/specification/rows";

/**
 * Every row of the specification has a test that shows it; `make specification` prints which. A
 * test of a table is named by its name as it stands in the file, with its `%s`: each of them shows
 * its part.
 */
const rows = findRows();

/** The names of the tests in a file. */
function testsIn(file: string): Set<string> {
  const path = `${import.meta.dir}/${file}`;
  if (!existsSync(path)) return new Set();
  const titles = readFileSync(path, "utf8").matchAll(
    /(?:\btest|[\])])\(\s*"((?:[^"\\]|\\.)*)"\s*,/g,
  );
  return new Set([...titles].map(([, title = ""]) => title.replace(/\\(.)/g, "$1")));
}

test("A table, a list and a sentence of a specification are rows", () => {
  const text = `## Resources and their fields
### Tea (as drunk)
| Field | Type |
|---|---|
| leaf, cup | string |
\`sugar\` is a field too.
## Endpoints
### POST /tea (guests only)
Parameters: \`milk\` (boolean). Response: \`tea_id\`.
## Limits
| Limit | Value |
|---|---|
| max_a, max_b | 3 |
| of tea | 4 |`;
  expect(parseRows(text)).toEqual([
    { id: "field: Tea leaf", line: 5 },
    { id: "field: Tea cup", line: 5 },
    { id: "field: Tea sugar", line: 6 },
    { id: "endpoint: POST /tea", line: 8 },
    { id: "parameter: POST /tea milk", line: 9 },
    { id: "answer: POST /tea tea_id", line: 9 },
    { id: "limit: max_a", line: 13 },
    { id: "limit: max_b", line: 13 },
    { id: "limit: of tea", line: 14 },
  ]);
});

test("Each test that is said to show a row is there", () => {
  const files = new Map(
    [...new Set(shown.map(({ file }) => file))].map((file) => [file, testsIn(file)]),
  );
  const missing = shown.filter(({ file, test: name }) => !files.get(file)?.has(name));
  expect(missing.map(({ file, test: name }) => `${file}: ${name}`)).toEqual([]);
});

describe("The specification", () => {
  const ids = new Set(rows.map(({ id }) => id));
  const found = showsOf();

  test("has no row that nothing shows", () => {
    expect([...ids].filter((id) => !found.has(id))).toEqual([]);
  });

  test("has every row that is said to be shown", () => {
    expect([...found.keys()].filter((id) => !ids.has(id))).toEqual([]);
  });
});
