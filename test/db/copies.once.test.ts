import { expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { listCopies, nameOfCopy, pathOfCopy, tidyCopies } from "../../db/copies";
import { scratchFolder } from "../support/scratch-folder";

const day = 86_400;

test("the newest copies are kept, and what was not finished goes after a day", () => {
  const folder = mkdtempSync(join(scratchFolder(), "chatd-copies-"));
  const place = { dataFolder: folder, databaseFile: join(folder, "chatd.db") };
  const copies = [10, 20, 30].map((now) => `chatd.db.${nameOfCopy(8, now)}`);
  const archive = `${nameOfCopy(9, 40)}.tar`;
  const drafts = [`${copies[0]}.4711`, `${archive}.abc123.part`];
  for (const name of [...copies, archive, ...drafts, "chatd.db", "secret"])
    writeFileSync(join(folder, name), "");
  utimesSync(join(folder, drafts[0] ?? ""), 1, 1);
  expect(
    listCopies(folder, place.databaseFile).map(({ schema, madeAt }) => [schema, madeAt]),
  ).toEqual([
    [9, 40],
    [8, 30],
    [8, 20],
    [8, 10],
  ]);
  expect(tidyCopies(place, { count: 0, schema: 9 }, 2 * day)).toEqual([
    join(folder, drafts[0] ?? ""),
  ]);
  tidyCopies(place, { count: 2, schema: 9 }, 2 * day);
  expect(readdirSync(folder).sort()).toEqual(
    [archive, drafts[1] ?? "", "chatd.db", copies[2] ?? "", "secret"].sort(),
  );
  rmSync(folder, { recursive: true });
});

test("copies that are made by hand do not push out the newest from before the last migration", () => {
  const folder = mkdtempSync(join(scratchFolder(), "chatd-copies-"));
  const place = { dataFolder: folder, databaseFile: join(folder, "chatd.db") };
  const [older, before] = [10, 20].map((now) => `chatd.db.${nameOfCopy(8, now)}`);
  const byHand = [30, 40, 50, 60].map((now) => `chatd.db.${nameOfCopy(9, now)}`);
  for (const name of [older, before, ...byHand]) writeFileSync(join(folder, `${name}`), "");
  tidyCopies(place, { count: 3, schema: 9 }, day);
  expect(readdirSync(folder).sort()).toEqual([`${before}`, ...byHand.slice(1)].sort());
  // After the next migration another one is the way back.
  tidyCopies(place, { count: 1, schema: 10 }, day);
  expect(readdirSync(folder)).toEqual([byHand[3] ?? ""]);
  rmSync(folder, { recursive: true });
});

test("two copies of one second have names of their own", () => {
  const folder = mkdtempSync(join(scratchFolder(), "chatd-copies-"));
  const file = join(folder, "chatd.db.");
  const [first, second] = [0, 1].map(() => {
    const path = pathOfCopy(file, 8, 10);
    writeFileSync(path, "");
    return path;
  });
  expect([first, second]).toEqual([`${file}before-schema-9-10`, `${file}before-schema-9-11`]);
  rmSync(folder, { recursive: true });
});

test("copies beside a database that is a link are found", () => {
  const folder = mkdtempSync(join(scratchFolder(), "chatd-copies-"));
  const [data, disk] = [join(folder, "data"), join(folder, "disk")];
  for (const path of [data, disk]) mkdirSync(path);
  writeFileSync(join(disk, "team.db"), "");
  symlinkSync(join(disk, "team.db"), join(data, "chatd.db"));
  const copy = join(disk, `team.db.${nameOfCopy(3, 7)}`);
  writeFileSync(copy, "");
  expect(listCopies(data, join(disk, "team.db"))).toEqual([{ path: copy, schema: 3, madeAt: 7 }]);
  rmSync(folder, { recursive: true });
});
