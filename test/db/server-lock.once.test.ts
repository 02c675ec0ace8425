import { Database as SqliteFile } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isHolderStopping, takeServerLock } from "../../db/server-lock";
import { scratchFolder } from "../support/scratch-folder";

const folder = mkdtempSync(join(scratchFolder(), "chatd-server-lock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const freshData = () => join(folder, `data-${++count}`);

test("one of several that try has the lock, and the next one after its release", () => {
  const data = freshData();
  const lock = takeServerLock(data);
  expect(takeServerLock(data)).toBeUndefined();
  lock?.release();
  const next = takeServerLock(data);
  expect(next).toBeDefined();
  next?.release();
});

test("a server gets the lock although another one is just trying to", () => {
  const data = freshData();
  takeServerLock(data)?.release();
  // The first of the locks that SQLite takes, one after the other.
  const other = new SqliteFile(join(data, "chatd.db-serving"), { readwrite: true });
  other.run("BEGIN");
  other.query("SELECT * FROM sqlite_schema").all();
  const lock = takeServerLock(data);
  expect(lock).toBeDefined();
  other.close();
  expect(takeServerLock(data)).toBeUndefined();
  lock?.release();
});

test("a server whose folder was moved away tells nothing of its end to servers in the new folder", () => {
  const data = freshData();
  const moved = takeServerLock(data);
  renameSync(data, `${data}-moved`);
  const next = takeServerLock(data);
  moved?.noteStopping();
  expect(isHolderStopping(data)).toBe(false);
  next?.noteStopping();
  moved?.release();
  expect(isHolderStopping(data)).toBe(true);
  next?.release();
  expect(isHolderStopping(data)).toBe(false);
});

test("the note of a killed server that was stopping is removed by the next one", () => {
  const data = freshData();
  mkdirSync(data);
  writeFileSync(join(data, "chatd.db-stopping"), "");
  const lock = takeServerLock(data);
  expect(isHolderStopping(data)).toBe(false);
  lock?.release();
});

test("a note that cannot be removed keeps no server from taking and releasing the lock", () => {
  const data = freshData();
  mkdirSync(join(data, "chatd.db-stopping"), { recursive: true });
  const lock = takeServerLock(data);
  expect(lock).toBeDefined();
  lock?.release();
  expect(takeServerLock(data)).toBeDefined();
  expect(existsSync(join(data, "chatd.db-stopping"))).toBe(true);
});
