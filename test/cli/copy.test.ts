import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { upload } from "../support/files";
import { chatd, clientOf, freshFolder, mustChatd, places, serve } from "./chatd";

/* Copies of the database in the data folder, as they are made before a migration. */

describe.each(places)("chatd admin copy on $engine", ({ engine, provisioned }) => {
  async function provision() {
    const { place, credentials } = await provisioned();
    const data = place[place.indexOf("--data") + 1] ?? "";
    return { place, data, credentials };
  }

  const messageOf = (topic: string) => ({ type: "channel", to: "general", topic, content: "Hi" });

  test("is made while a server runs, and put back with all servers stopped; files stay", async () => {
    const { place, data, credentials } = await provision();
    const server = await serve(place);
    const alice = clientOf(server.site, credentials, "alice");
    const { body: before } = await alice.post("/messages", messageOf("before"));
    const { file, schema } = (
      await mustChatd(["admin", "copy", "make", "--json", ...place])
    ).json();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await upload(alice, "note.txt", "it stays");
    const { body: after } = await alice.post("/messages", messageOf("after"));
    const beside = await chatd(["admin", "restore", file, "--force", ...place]);
    expect([beside.code, beside.stderr]).toEqual([1, expect.stringContaining("Stop it first")]);
    expect(await server.stop()).toBe(0);

    const files = readdirSync(join(data, "files"), { recursive: true }).sort();
    const secret = readFileSync(join(data, "secret"), "utf8");
    const unforced = await chatd(["admin", "restore", file, ...place]);
    expect([unforced.code, unforced.stderr]).toEqual([1, expect.stringContaining("--force")]);
    await mustChatd(["admin", "restore", file, "--force", ...place]);
    expect(readFileSync(join(data, "secret"), "utf8")).toBe(secret);
    expect(readdirSync(join(data, "files"), { recursive: true }).sort()).toEqual(files);
    const again = await serve(place);
    const back = clientOf(again.site, credentials, "alice");
    expect((await back.get(`/messages/${before.id}`)).status).toBe(200);
    expect((await back.get(`/messages/${after.id}`)).status).toBe(400);
    // An id that somebody may remember is not given to another message.
    const { body: next } = await back.post("/messages", messageOf("next"));
    expect(next.id).toBeGreaterThan(after.id);
    expect(await again.stop()).toBe(0);
    expect(again.stderr()).not.toContain("log_missing");

    const list = (await mustChatd(["admin", "copy", "list", "--json", ...place])).json();
    expect(list).toMatchObject({ schema, copies: [{ file, schema }] });
    const none = await mustChatd(["admin", "copy", "make", "--before", `${schema}`, ...place]);
    expect(none.stdout).toContain("No copy is needed");
    const { stdout } = await mustChatd(["admin", "copy", "make", ...place]);
    expect(stdout).toMatch(
      new RegExp(
        `^The database, with schema version ${schema}, was copied to \\S+before-schema-${schema + 1}-`,
      ),
    );
  });

  test("is refused where it is damaged, and then nothing has changed", async () => {
    const { place, data } = await provision();
    const { file } = (await mustChatd(["admin", "copy", "make", "--json", ...place])).json();
    const names = readdirSync(data).sort();
    const cut = join(freshFolder(), "cut");
    writeFileSync(cut, readFileSync(file).subarray(0, 3000));
    const { code, stderr } = await chatd(["admin", "restore", cut, "--force", ...place]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      engine === "sqlite" ? /is no whole database/ : /This is no whole backup|cut off/,
    );
    expect(readdirSync(data).sort()).toEqual(names);
    await mustChatd(["admin", "user", "list", ...place]);
  });
});
