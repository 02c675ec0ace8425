import { expect, test } from "bun:test";
import { makeLog } from "../../src/core/log";
import {
  makeStorageReports,
  storageFailureText,
  storageRefusal,
} from "../../src/core/storage/storage-failure";
import { makeFakeClock } from "../support/fake-clock";

const failed = (code: string, message = "it failed") => Object.assign(new Error(message), { code });
const wrapped = (code: string) => new Error("Failed query", { cause: failed(code) });

test.each([
  ["SQLITE_FULL", 507],
  ["SQLITE_IOERR_SHMSIZE", 507],
  ["ENOSPC", 507],
  ["EDQUOT", 507],
  ["SQLITE_CORRUPT_INDEX", 500],
  ["SQLITE_NOTADB", 500],
  ["SQLITE_IOERR_SHORT_READ", 500],
  ["EIO", 500],
  ["XX001", 500],
])(
  "%s, which SQLite, the system or PostgreSQL says, is answered with %i and words",
  (code, status) => {
    expect(storageRefusal(wrapped(code))?.status).toBe(status);
    expect(storageFailureText(wrapped(code))?.text).toContain("it failed");
  },
);

test("what is no failure of a disk stays what it is", () => {
  expect([storageRefusal(failed("SQLITE_BUSY")), storageRefusal(new Error("no"))]).toEqual([
    undefined,
    undefined,
  ]);
  expect([storageRefusal("ENOSPC"), storageFailureText(undefined)]).toEqual([undefined, undefined]);
});

test("a full disk is one line of the log, and another one when there has been room for a while", () => {
  const lines: string[] = [];
  let now = 0;
  const clock = { nowMilliseconds: () => now };
  const reports = makeStorageReports(
    makeLog(makeFakeClock(), "info", (line) => lines.push(JSON.parse(line).event)),
    clock,
    { database: "chatd.db", files: "data" },
  );
  reports.stored("database");
  for (const _ of [1, 2, 3]) expect(reports.report(wrapped("SQLITE_FULL"))).toBe(true);
  reports.stored("database");
  expect(lines).toEqual(["disk_full"]);
  reports.report(failed("ENOSPC"));
  expect(lines).toEqual(["disk_full", "disk_full"]);
  now = 60_000;
  reports.stored("database");
  reports.stored("database");
  expect(lines).toEqual(["disk_full", "disk_full", "disk_has_room"]);
  reports.report(failed("SQLITE_CORRUPT", "page 7"));
  reports.report(failed("SQLITE_CORRUPT", "page 7"));
  reports.report(failed("SQLITE_FULL"));
  expect(lines.slice(3)).toEqual(["storage_damaged", "disk_full"]);
  expect(reports.report(failed("SQLITE_BUSY"))).toBe(false);
});
