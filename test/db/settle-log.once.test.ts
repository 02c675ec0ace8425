import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { markClosed, markInUse } from "../../db/settle-log";
import { freshFolder } from "../cli/chatd";

/** Holds the lock for writing, says so, and lets go of it a moment after. */
const otherProcess = `
  const { Database } = require("bun:sqlite");
  const file = new Database(process.argv[1]);
  file.run("BEGIN IMMEDIATE");
  console.log("held");
  setTimeout(() => file.run("COMMIT"), 50);
`;

test.each([
  ["begins", markInUse, 1],
  ["ends", markClosed, 0],
])(
  "a process that %s waits for another one that has the file for itself for a moment",
  async (_what, mark, expected) => {
    const path = join(freshFolder(), "chatd.db");
    const file = new Database(path);
    file.run("PRAGMA journal_mode = WAL");
    file.run("PRAGMA user_version = 1");
    file.run(`PRAGMA user_version = ${1 - expected}`);
    const other = Bun.spawn([process.execPath, "-e", otherProcess, path], { stdout: "pipe" });
    const { value } = await other.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toBe("held\n");
    mark(file);
    expect(file.query("PRAGMA user_version").values()).toEqual([[expected]]);
    expect(await other.exited).toBe(0);
    file.close();
  },
);
