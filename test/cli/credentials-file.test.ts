import { expect, test } from "bun:test";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openPrivateFile } from "../../cli/credentials-file";
import { freshFolder } from "./chatd";

const daySeconds = 86_400;

test("a draft goes a day after it was begun, with the next command for that file, and a newer one stays", () => {
  const path = join(freshFolder(), "credentials.json");
  const namesThere = () => readdirSync(dirname(path)).sort();
  const begin = (file: string) => {
    const before = new Set(namesThere());
    const begun = openPrivateFile(file, 1);
    return { begun, draft: namesThere().filter((name) => !before.has(name))[0] ?? "" };
  };
  const agedBy = (seconds: number, name: string) => {
    const at = Date.now() / 1_000 - seconds;
    utimesSync(join(dirname(path), name), at, at);
  };
  const left = begin(path).draft;
  const ofOther = begin(`${path}.other`).draft;
  const running = begin(path);
  const notOurs = "credentials.json.draft-of-mine";
  writeFileSync(join(dirname(path), notOurs), "");
  for (const name of [left, ofOther, notOurs]) agedBy(daySeconds + 60, name);
  agedBy(daySeconds - 60, running.draft);
  openPrivateFile(path, 1).write({ realm: "Acme" });
  expect(namesThere()).toEqual(["credentials.json", notOurs, running.draft, ofOther].sort());
  running.begun.write({ realm: "Bcme" });
  expect(namesThere()).toEqual(["credentials.json", notOurs, ofOther].sort());
});
