import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { closeSync, openSync, rmSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import {
  chatd,
  clientOf,
  freshFolder,
  organizationFile,
  readCredentials,
  serve,
} from "../cli/chatd";
import { formOf, headersOf } from "../support/files";

const pageBytes = 4_096;

/** An organization with some messages and a file in a data folder that no server is at work on. */
async function makeData() {
  const folder = freshFolder();
  const [data, credentials] = [join(folder, "data"), join(folder, "credentials.json")];
  const server = await serve([
    "--data",
    data,
    "--apply",
    organizationFile,
    "--credentials",
    credentials,
  ]);
  const known = readCredentials(credentials);
  const alice = clientOf(server.site, known, "alice");
  for (const content of ["one", "two", "three"]) {
    const { status } = await alice.post("/messages", {
      type: "channel",
      to: "core",
      topic: "disk",
      content,
    });
    expect(status).toBe(200);
  }
  await server.stop();
  return { data, database: join(data, "chatd.db"), known };
}

/** Overwrites the page that a table begins with, as a failing disk might. */
function damageTable(database: string, table: string) {
  const file = new Database(database);
  file.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
  const [[page] = []] = file
    .query("SELECT rootpage FROM sqlite_schema WHERE name = ?")
    .values(table);
  file.close(true);
  overwrite(database, (Number(page) - 1) * pageBytes);
}

function overwrite(database: string, position: number) {
  const descriptor = openSync(database, "r+");
  writeSync(descriptor, Buffer.alloc(pageBytes, 0x5a), 0, pageBytes, position);
  closeSync(descriptor);
}

const linesOf = (log: string, event: string) =>
  log.split("\n").filter((line) => line.includes(`"event":"${event}"`));

test("who reads what is damaged is told so, the log says once what to do, and the rest goes on", async () => {
  const { data, database, known } = await makeData();
  damageTable(database, "messages");
  const server = await serve(["--data", data]);
  const alice = clientOf(server.site, known, "alice");
  for (let time = 0; time < 3; time += 1) {
    const { status, body } = await alice.get("/messages", {
      anchor: "newest",
      num_before: 5,
      num_after: 0,
    });
    expect([status, body.code]).toEqual([500, "STORAGE_DAMAGED"]);
    expect(body.msg).toContain("Tell the operator of the server");
  }
  expect((await alice.get("/users/me")).status).toBe(200);
  await server.stop();
  const [told = "", ...others] = linesOf(server.stderr(), "storage_damaged");
  expect(others).toEqual([]);
  expect(told).toContain(database);
  expect(told).toContain("chatd admin check");
  expect(linesOf(server.stderr(), "request_failed")).toEqual([]);
});

test("a server that would write into what is damaged says what to do and ends with an error", async () => {
  const { data, database, known } = await makeData();
  damageTable(database, "messages");
  const server = await serve(["--data", data]);
  const alice = clientOf(server.site, known, "alice");
  const message = { type: "channel", to: "core", topic: "disk", content: "Is anybody there?" };
  const answer = await alice.post("/messages", message).catch(() => undefined);
  expect(answer?.status ?? 500).toBe(500);
  await server.stop();
  const told = linesOf(server.stderr(), "storage_failed").join();
  expect(told).toContain("chatd admin check");
});

test.each([
  [
    "whose beginning is damaged",
    (database: string) => overwrite(database, 0),
    "file is not a database",
  ],
  ["that is cut off", (database: string) => truncateSync(database, 3 * pageBytes), "malformed"],
])(
  "a start on a database %s is refused with the file's name and what to do",
  async (_what, damage, why) => {
    const { data, database } = await makeData();
    damage(database);
    const { code, stderr } = await chatd([
      "serve",
      "--host",
      "127.0.0.1",
      "--port",
      "0",
      "--data",
      data,
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain(`chatd: The data is damaged: ${database} cannot be opened: `);
    expect(stderr).toContain(why);
    expect(stderr).toContain("chatd admin restore");
    expect(stderr).not.toContain(" at ");
  },
);

test("a file of which the bytes are gone, or some of them, is told of as damaged, and once in the log", async () => {
  const { data, known } = await makeData();
  const server = await serve(["--data", data]);
  const alice = clientOf(server.site, known, "alice");
  const form = (name: string) => ({ body: formOf(name, "x".repeat(10_000)) });
  const gone = (await alice.ask("POST", "/user_uploads", {}, form("gone.txt"))).body.url;
  const cut = (await alice.ask("POST", "/user_uploads", {}, form("cut.txt"))).body.url;
  const pathOf = (url: string) => {
    const [, realm, key = ""] = /user_uploads\/(\d+)\/([^/]+)\//.exec(url) ?? [];
    return join(data, "files", String(realm), key.slice(0, 2), key);
  };
  rmSync(pathOf(gone));
  truncateSync(pathOf(cut), 5_000);
  for (const url of [gone, cut, gone, cut]) {
    const response = await fetch(`${server.site}${url}`, { headers: headersOf(alice) });
    expect([response.status, (await response.json()).code]).toEqual([500, "STORAGE_DAMAGED"]);
  }
  await server.stop();
  expect(linesOf(server.stderr(), "storage_damaged")).toHaveLength(2);
});
