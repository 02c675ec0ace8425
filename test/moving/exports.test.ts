import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { tidyStray } from "../../src/files/stray";
import { readArchive } from "../../src/moving/backup/archive";
import { tableOfPart } from "../../src/moving/backup/row-lines";
import { decodePart } from "../../src/moving/realm-archive/part";
import { type FullRealm, fillRealm } from "../support/archives/full-realm";
import { verify } from "../support/client-state/verify";
import { storedFiles, upload } from "../support/files";
import { makeWorld, type Person, type World } from "../support/world";

type Row = Record<string, unknown>;

interface Exported {
  id: number;
  path: string;
  bytes: Buffer;
  tables: Map<string, Row[]>;
  files: Buffer[];
}

/** Has an export made and fetches it. */
async function exported(
  world: World,
  type = "public",
  who: Person = world.olga,
): Promise<Exported> {
  const { status, body } = await who.post("/export/realm", { export_type: type });
  expect({ status, body }).toMatchObject({ status: 200 });
  await world.pass(0);
  const { exports } = (await who.get("/export/realm")).body;
  const path = new URL(exports.find(({ id }: Row) => id === body.id).export_url).pathname;
  const response = await who.open(path);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { id: body.id, path, bytes, ...(await contentOf(bytes)) };
}

async function contentOf(bytes: Buffer) {
  const tables = new Map<string, Row[]>();
  const files: Buffer[] = [];
  for await (const entry of readArchive(new Blob([Buffer.from(bytes)]).stream())) {
    const table = tableOfPart(entry.name);
    if (entry.name.startsWith("files/")) files.push(Buffer.from(await entry.bytes()));
    if (table === undefined) continue;
    const { columns, rows } = await decodePart(await entry.bytes());
    const objects = rows.map((row) =>
      Object.fromEntries(columns.map((column, at) => [column, row[at]])),
    );
    tables.set(table, [...(tables.get(table) ?? []), ...objects]);
  }
  return { tables, files };
}

const contents = ({ tables }: Exported) =>
  (tables.get("messages") ?? []).map(({ content }) => String(content));
const all = ({ tables }: Exported) => JSON.stringify([...tables]);

describe("an export that somebody asks for", () => {
  /** World with a full organization, of which a public export was made. */
  let full: World;
  let filled: FullRealm;
  let made: Exported;
  beforeAll(async () => {
    full = await makeWorld();
    filled = await fillRealm(full);
    made = await exported(full);
  });
  afterAll(() => full.close());

  test("is made beside everything else, and told of to administrators alone", async () => {
    const world = await makeWorld();
    const { olga, adam, mona } = world;
    const queues = await Promise.all(
      [olga, adam, mona].map((one) => one.register({ event_types: ["realm_export"] })),
    );
    await verify(world, async () => {
      const { status, body } = await olga.post("/export/realm");
      expect({ status, body }).toMatchObject({ status: 200, body: { id: expect.any(Number) } });
    });
    await world.pass(0);
    const [done] = (await adam.get("/export/realm")).body.exports;
    expect(done).toMatchObject({ acting_user_id: olga.id, export_type: "public" });
    expect(done).toMatchObject({ pending: false, failed_timestamp: null, deleted_timestamp: null });
    expect(done.export_url).toContain("/realm_exports/");
    const heard = await Promise.all(queues.map((queue) => queue.events()));
    expect(
      heard.map((events) => events.map(({ type, exports }) => [type, exports[0].pending])),
    ).toEqual([
      [
        ["realm_export", true],
        ["realm_export", false],
      ],
      [
        ["realm_export", true],
        ["realm_export", false],
      ],
      [],
    ]);
    expect((await mona.get("/export/realm")).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
    await world.close();
  });

  test("is made anew where a server was killed in the middle of its file", async () => {
    const world = await makeWorld();
    const { olga, app, realm } = world;
    await app.jobs.stop();
    await olga.post("/export/realm");
    const [row] = await app.engine.reader.db.select().from(app.engine.schema.realmExports);
    const half = await app.files.resume(`${realm.id}/${row?.file}`);
    await half.write(Buffer.from("half"));
    await half.rest();
    await world.restart();
    await world.pass(0);
    const [done] = (await olga.get("/export/realm")).body.exports;
    expect(done).toMatchObject({ pending: false, failed_timestamp: null });
    await world.close();
  });

  test("J1: a public one holds no private upload, no private message, nothing of one, and no client", async () => {
    const { messages } = filled;
    const { tables, files } = made;
    const { rows } = { rows: tables.get("messages") ?? [] };
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.every(({ channel_id }) => channel_id === full.channels.general)).toBe(true);
    expect(rows.map(({ id }) => id)).not.toContain(messages.direct);
    expect(new Set(rows.map(({ client }) => client))).toEqual(new Set(["chatd"]));
    expect(files.map(String)).toContain("leek and potato");
    expect(files.map(String)).not.toContain("very private");
    expect(files.map(String)).not.toContain("nobody's business");
    expect(all(made)).not.toMatch(
      /psst|only us|note to me|very private|secret\.txt|mine\.txt|hooks\.example|Bun/,
    );
    const named = (table: string, column: string) =>
      (tables.get(table) ?? []).map((row) => row[column]);
    expect(named("channels", "name")).toEqual(["general"]);
    expect(named("reactions", "message_id")).not.toContain(messages.direct);
    expect(new Set(named("subscriptions", "channel_id"))).toEqual(new Set([full.channels.general]));
    expect(named("message_edits", "prev_channel_id").every((id) => id === null)).toBe(true);
    const personal = [
      "drafts",
      "message_flags",
      "read_watermarks",
      "alert_words",
      "conversations",
      "bots",
      "muted_users",
    ];
    expect(personal.filter((table) => tables.has(table))).toEqual([]);
  });

  test("J1: a public one holds no secret, no settings of people and no address that they do not show", async () => {
    const { tables } = made;
    const users = tables.get("users") ?? [];
    const alice = users.find(({ full_name }) => full_name === "Alice");
    expect(alice).toMatchObject({
      settings: '{"email_address_visibility":5}',
      password_hash: null,
    });
    expect(alice?.["email"]).toBe(`user${full.alice.id}@${full.realm.host}`);
    expect(users.find(({ full_name }) => full_name === "Carol")?.["email"]).toBe(full.carol.email);
    expect(users.every(({ password_hash }) => password_hash === null)).toBe(true);
    expect([...tables.keys()].filter((name) => /key|session|secret|invit|link/.test(name))).toEqual(
      ["linkifiers"],
    );
  });

  test("J4: an archived channel counts as what it was: a private one is not in it, a public one is", async () => {
    const world = await makeWorld();
    const { olga, alice, channels } = world;
    await alice.say("general", "old", "public and old");
    await alice.say("plans", "old", "private and old");
    await alice.delete(`/streams/${channels.plans}`);
    await olga.delete(`/streams/${channels.plans}`);
    await olga.delete(`/streams/${channels.general}`);
    const found = contents(await exported(world));
    expect(found).toContain("public and old");
    expect(found).not.toContain("private and old");
    await world.close();
  });

  test("with consent it holds what those have access to who have agreed, and nothing else", async () => {
    const world = await makeWorld();
    const { olga, alice, bob, carol } = world;
    const agreed = await olga.register({ event_types: ["realm_export_consent"] });
    const others = await bob.register({ event_types: ["realm_export_consent"] });
    await bob.say("secret", "x", "before bob agreed");
    await bob.patch("/settings", { allow_private_data_export: true });
    await alice.say("plans", "x", "in plans");
    await alice.tell([carol], "alice to carol");
    await alice.tell([bob], "alice to bob");
    await alice.post("/drafts", {
      drafts: [{ type: "", to: [], topic: "", content: "draft of alice" }],
    });
    await bob.post("/drafts", {
      drafts: [{ type: "", to: [], topic: "", content: "draft of bob" }],
    });
    const made = await exported(world, "full_with_consent");
    const found = contents(made);
    expect(found).toContain("before bob agreed");
    expect(found).toContain("alice to bob");
    expect(all(made)).not.toMatch(/in plans|alice to carol|draft of alice/);
    expect(all(made)).toContain("draft of bob");
    expect(await agreed.events()).toMatchObject([
      { type: "realm_export_consent", user_id: bob.id, consented: true },
    ]);
    expect(await others.events()).toEqual([]);
    const { export_consents } = (await olga.get("/export/realm/consents")).body;
    expect(export_consents.filter(({ consented }: Row) => consented)).toEqual([
      { user_id: bob.id, consented: true, email_address_visibility: 1 },
    ]);
    await world.close();
  });

  test("A1: with consent it holds nothing of the time of somebody who has left the channel since", async () => {
    const world = await makeWorld();
    const { alice, bob, carol } = world;
    await alice.say("secret", "x", "while bob was there");
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    await alice.say("secret", "x", "between the two");
    const subscriptions = [{ name: "secret" }];
    await alice.post("/users/me/subscriptions", { subscriptions, principals: [carol.id] });
    await alice.say("secret", "x", "while carol is there");
    for (const one of [bob, carol])
      await one.patch("/settings", { allow_private_data_export: true });
    const found = contents(await exported(world, "full_with_consent"));
    expect(found).toContain("while carol is there");
    expect(found).not.toContain("between the two");
    expect(found).not.toContain("while bob was there");
    await alice.post("/users/me/subscriptions", { subscriptions, principals: [bob.id] });
    const again = contents(await exported(world, "full_with_consent"));
    expect(again).toContain("while bob was there");
    expect(again).not.toContain("between the two");
    await world.close();
  });

  test("J2: only the administrator who asked for it gets the file, on a disk where only the server reads", async () => {
    const world = await makeWorld();
    const { olga, adam, alice, zoe, anonymous } = world;
    const { path } = await exported(world, "public", adam);
    expect((await adam.open(path)).status).toBe(200);
    expect((await olga.open(path)).status).toBe(404);
    expect((await alice.open(path)).status).toBe(400);
    expect((await zoe.open(path)).status).toBe(404);
    expect((await anonymous.open(path)).status).toBe(401);
    expect((await adam.open(path.replace(/.\.tar$/, "0.tar"))).status).toBe(404);
    const [stored = ""] = storedFiles(world).filter((name) => name.endsWith("-export"));
    expect(statSync(join(world.place.dataFolder, "files", stored)).mode & 0o777).toBe(0o600);
    await olga.patch(`/users/${adam.id}`, { role: 400 });
    expect((await adam.open(path)).status).toBe(400);
    await world.close();
  });

  test("E4: an export of another organization does not exist", async () => {
    const world = await makeWorld();
    const { olga, zoe } = world;
    const { id, path } = await exported(world);
    expect((await zoe.delete(`/export/realm/${id}`)).status).toBe(404);
    expect((await zoe.get("/export/realm")).body.exports).toEqual([]);
    expect((await olga.open(path)).status).toBe(200);
    await world.close();
  });

  test("is gone once it is deleted", async () => {
    const world = await makeWorld();
    const { olga, adam } = world;
    const { id, path } = await exported(world);
    await verify(world, async () =>
      expect((await adam.delete(`/export/realm/${id}`)).status).toBe(200),
    );
    expect((await olga.open(path)).status).toBe(404);
    const [deleted] = (await olga.get("/export/realm")).body.exports;
    expect(deleted).toMatchObject({ export_url: null, deleted_timestamp: expect.any(Number) });
    expect((await adam.delete(`/export/realm/${id}`)).body.msg).toContain("already been deleted");
    expect((await adam.delete("/export/realm/999999")).status).toBe(404);
    await world.close();
  });

  test("is gone later where its file cannot be removed at once", async () => {
    const world = await makeWorld();
    const { olga } = world;
    const { id } = await exported(world);
    const [stored = ""] = storedFiles(world).filter((name) => name.endsWith("-export"));
    const path = join(world.place.dataFolder, "files", stored);
    // The store fails to remove a folder, which takes the file's place for a moment.
    renameSync(path, `${path}-aside`);
    mkdirSync(join(path, "in-the-way"), { recursive: true });
    const { status, body } = await olga.delete(`/export/realm/${id}`);
    expect({ status, body }).toMatchObject({ status: 200 });
    rmSync(path, { recursive: true });
    renameSync(`${path}-aside`, path);
    world.clock.advance(3_600);
    await tidyStray(world.app);
    expect(storedFiles(world).filter((name) => name.endsWith("-export"))).toEqual([]);
    await world.close();
  });

  test("is refused in other types, while one is being made, and when there were many", async () => {
    const world = await makeWorld();
    const { olga } = world;
    const ask = async (type: string) =>
      (await olga.post("/export/realm", { export_type: type })).body.msg;
    expect(await ask("full_without_consent")).toContain("operator");
    expect(await ask("everything")).toContain("export_type");
    expect(await ask("public")).toBe("");
    expect(await ask("public")).toContain("in progress");
    for (let times = 1; times < 5; times++) {
      await world.pass(1);
      expect(await ask("public")).toBe("");
    }
    await world.pass(1);
    expect(await ask("public")).toContain("in a week");
    await world.pass(7 * 86_400);
    expect(await ask("public")).toBe("");
    await world.pass(0);
    await world.close();
  });

  test("holds what an own upload is in a public message", async () => {
    const world = await makeWorld();
    const url = await upload(world.alice, "a.txt", "shared soup");
    await world.alice.say("general", "x", `[a](${url})`);
    expect((await exported(world)).files.map(String)).toContain("shared soup");
    await world.close();
  });
});
