import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { closeSync, existsSync, openSync, readdirSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { upload } from "../support/files";
import { chatd, clientOf, type DataPlace, mustChatd, places, serve, sqlite } from "./chatd";

const pageBytes = 4_096;

/** An organization with messages that are indexed, and a file, with a server that goes on. */
async function makeData({ provisioned }: DataPlace) {
  const { place, credentials } = await provisioned();
  const server = await serve(place);
  const alice = clientOf(server.site, credentials, "alice");
  for (const content of ["first soup", "second soup"]) {
    const { status } = await alice.post("/messages", {
      type: "channel",
      to: "core",
      topic: "kitchen",
      content,
    });
    expect(status).toBe(200);
  }
  const search = async () => {
    const narrow = [{ operator: "search", operand: "soup" }];
    const { body } = await alice.get("/messages", {
      anchor: "newest",
      num_before: 9,
      num_after: 0,
      narrow,
    });
    return body.messages?.length;
  };
  expect(await search()).toBe(2);
  await upload(alice, "soup.txt", "three potatoes");
  return { place, server, search };
}

const dataFolderOf = (place: string[]) => place[place.indexOf("--data") + 1] ?? "";
const isFile = (path: string) => existsSync(path) && readdirSync(path).length > 0;

describe.each(places)("chatd admin check on $engine", (on) => {
  test("finds nothing beside a server that goes on; then a file that is cut off, with what to do, and answers 1", async () => {
    const { place, server } = await makeData(on);
    const sound = await mustChatd(["admin", "check", ...place]);
    expect(sound.stdout).toContain("Nothing was found: the data is sound.");
    expect((await mustChatd(["admin", "check", "--json", ...place])).json()).toMatchObject({
      findings: [],
    });
    const files = join(dataFolderOf(place), "files");
    expect(isFile(files)).toBe(true);
    const [stored] = [...new Bun.Glob("*/*/*").scanSync(files)].filter((name) => /^\d/.test(name));
    truncateSync(join(files, stored ?? ""), 5);
    const { code, json, stderr } = await chatd(["admin", "check", "--json", ...place]);
    expect([code, JSON.parse(stderr.trim().split("\n").at(-1) ?? "").code]).toEqual([
      1,
      "STORAGE_DAMAGED",
    ]);
    expect(json().findings).toMatchObject([
      { part: "files", what: expect.stringContaining("has 5 instead of 14 bytes") },
    ]);
    expect(json().findings[0].whatToDo).toContain("backup");
    expect(await server.stop()).toBe(0);
  });

  test("has the search index made anew, by a server that goes on", async () => {
    const { place, server, search } = await makeData(on);
    const repaired = await mustChatd(["admin", "check", "--repair", ...place]);
    expect(repaired.stdout).toContain("The search index was emptied");
    expect(await search()).toBe(2);
    expect((await mustChatd(["admin", "check", ...place])).stdout).toContain("Nothing was found");
    expect(await server.stop()).toBe(0);
  });
});

/** Damages of a SQLite file. */
describe("chatd admin check of a damaged SQLite file", () => {
  const makeStopped = async () => {
    const { place, server } = await makeData(sqlite);
    await server.stop();
    return { place, database: join(dataFolderOf(place), "chatd.db") };
  };

  test("tells of messages that are missing in the search index, and finds nothing once that is made anew", async () => {
    const { place, database } = await makeStopped();
    const file = new Database(database);
    file.run("INSERT INTO message_words (message_words) VALUES ('delete-all')");
    file.close(true);
    const { code, stdout } = await chatd(["admin", "check", ...place]);
    expect(code).toBe(1);
    expect(stdout).toContain("2 messages are not in the search index");
    expect(stdout).toContain("chatd admin check --repair");
    await mustChatd(["admin", "check", "--repair", ...place]);
  });

  test("tells of messages whose sender is not there, and of a damaged page without writing to the file", async () => {
    const { place, database } = await makeStopped();
    const file = new Database(database);
    file.run("UPDATE messages SET sender_id = 999 WHERE id = (SELECT max(id) FROM messages)");
    const [[page] = []] = file
      .query("SELECT rootpage FROM sqlite_schema WHERE name = 'drafts'")
      .values();
    file.close(true);
    const one = await chatd(["admin", "check", ...place]);
    expect([one.code, one.stdout.includes("1 message whose sender is missing")]).toEqual([1, true]);
    const descriptor = openSync(database, "r+");
    writeSync(
      descriptor,
      Buffer.alloc(pageBytes, 0x5a),
      0,
      pageBytes,
      (Number(page) - 1) * pageBytes,
    );
    closeSync(descriptor);
    const before = new Uint8Array(await Bun.file(database).arrayBuffer());
    const { code, stdout } = await chatd(["admin", "check", "--repair", ...place]);
    expect(code).toBe(1);
    expect(stdout).toContain("database: drafts: ");
    expect(stdout).toContain("chatd admin restore");
    expect(new Uint8Array(await Bun.file(database).arrayBuffer())).toEqual(before);
  });
});
