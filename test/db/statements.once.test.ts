import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, eq } from "drizzle-orm";
import type { Engine } from "../../db/engine";
import { migrateSqlite, readMigrations } from "../../db/migrate";
import { databaseFile } from "../../db/open";
import { type Given, statement, statements } from "../../db/reader";
import { openSqlite } from "../../db/sqlite";
import { assetPath } from "../../src/core/assets";
import { notingHooks } from "../support/databases/storage";
import { outcomeOf } from "../support/outcome";

let folder: string;
let engine: Engine;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "chatd-statements-"));
  const file = databaseFile(folder);
  migrateSqlite(file, readMigrations(assetPath("db", "migrations", "sqlite")), 1);
  engine = openSqlite(file, notingHooks().hooks);
});

afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const selectWord = statement(
  (db, { alertWords: t }, given: Given<{ realmId: number; wordKey: string }>) =>
    db
      .select({ word: t.word })
      .from(t)
      .where(and(eq(t.realmId, given.realmId), eq(t.wordKey, given.wordKey))),
);
const selectAll = statement((db, { alertWords: t }) => db.select({ word: t.word }).from(t));
const ofUser = statements<{ userId: number }, { word: string }[]>(1);

const answerOf = async (run: PromiseLike<unknown>) => run;

/**
 * The compiler, which `make check` runs, complains of each line that is expected to be wrong and is
 * not.
 */
test("a misspelt placeholder does not compile, and has no value", async () => {
  const misspelt = statement((db, { alertWords: t }, given: Given<{ realmId: number }>) => {
    // @ts-expect-error `realmID` is not declared.
    return db.select().from(t).where(eq(t.realmId, given.realmID));
  });
  expect(await outcomeOf(answerOf(misspelt(engine.reader, { realmId: 1 })))).toThrow("realmID");
  const undeclared = statement((db, { alertWords: t }, given) => {
    // @ts-expect-error Nothing is declared.
    return db.select().from(t).where(eq(t.realmId, given.realmId));
  });
  expect(await outcomeOf(answerOf(undeclared(engine.reader)))).toThrow("realmId");
  const ofAnother = ofUser("another", (db, { alertWords: t }, given) => {
    // @ts-expect-error `realmId` is not declared.
    return db.select({ word: t.word }).from(t).where(eq(t.realmId, given.realmId));
  });
  expect(await outcomeOf(answerOf(ofAnother(engine.reader, { userId: 1 })))).toThrow("realmId");
});

test("a statement is run with the values that it declares, of their types", async () => {
  const { reader } = engine;
  expect(await selectWord(reader, { realmId: 1, wordKey: "soup" })).toEqual([]);
  expect(await selectAll(reader)).toEqual([]);
  // @ts-expect-error `wordKey` is missing.
  expect(await outcomeOf(answerOf(selectWord(reader, { realmId: 1 })))).toThrow("wordKey");
  // @ts-expect-error All values are missing.
  expect(await outcomeOf(answerOf(selectWord(reader)))).toThrow("realmId");
  // @ts-expect-error A realm's id is a number.
  expect(await selectWord(reader, { realmId: "1", wordKey: "soup" })).toEqual([]);
  // @ts-expect-error `userId` is not declared.
  expect(await selectWord(reader, { realmId: 1, wordKey: "soup", userId: 1 })).toEqual([]);
  // @ts-expect-error Nothing is declared.
  expect(await selectAll(reader, { realmId: 1 })).toEqual([]);
});

test("a statement says what its rows hold", async () => {
  const [row] = await selectWord(engine.reader, { realmId: 1, wordKey: "soup" });
  const word: string | undefined = row?.word;
  // @ts-expect-error A word is no number.
  const wrong: number | undefined = row?.word;
  expect([word, wrong]).toEqual([undefined, undefined]);
});
