import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { type ExportedHolding, exportedTables } from "../../db/schema/tables";
import type { StoredValue } from "../../db/stored-rows";
import { filesOf } from "../../src/moving/backup/named-files";
import { importFile } from "../../src/moving/import/import-file";
import { exportToFile } from "../../src/moving/realm-archive/to-file";
import { backupFolder } from "../support/archives/backups";
import { rewriteArchive } from "../support/archives/rewrite-archive";
import { formOf, storedFiles, upload } from "../support/files";
import { outcomeOf } from "../support/outcome";
import { emojiForm, staticPng } from "../support/pictures";
import { makeWorld, type World } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

type Row = Record<string, StoredValue>;
const quiet = { progress: () => undefined };
const host = "copy.example.org";
const wanted = { from: "chatd" as const, host, name: undefined, isDry: false };

const exportRealm = ({ app }: World, realm: World["realm"], path: string): Promise<unknown> =>
  exportToFile(app, realm, path, { type: "full_without_consent", withPasswords: false }, quiet);

const copyOf = async ({ app }: World) => {
  const { realms } = app.engine.schema;
  const [copy] = await app.engine.reader.db.select().from(realms).where(eq(realms.host, host));
  if (!copy) throw new Error("there is no copy");
  return copy;
};

/** All rows of the copy by the names of their tables. Columns are named as in the database. */
async function rowsOfCopy(world: World): Promise<Map<string, Row[]>> {
  const [path, other] = [join(folder, "copy.tar"), join(folder, "other.tar")];
  await exportRealm(world, await copyOf(world), path);
  const all = new Map<string, Row[]>();
  const collect = (table: string, rows: Row[]) => {
    all.set(table, [...(all.get(table) ?? []), ...rows]);
    return rows;
  };
  await rewriteArchive(path, other, { rows: collect });
  return all;
}

/** Columns with ids of rows that are not there. Reminders of deleted messages may have them. */
function danglingIn(all: ReadonlyMap<string, Row[]>): string[] {
  const idsOf = (table: string) => new Set((all.get(table) ?? []).map(({ id }) => id));
  return exportedTables().flatMap(({ name, holds }) =>
    Object.entries(holds).flatMap(([column, holding]) => {
      if (name === "reminders") return [];
      const ids = idsOf(holding.is === "id" ? holding.of : "users");
      const isThere = (id: StoredValue) => id === null || id === 0 || ids.has(id);
      return (all.get(name) ?? [])
        .filter((row) => !idsIn(holding, row[column] ?? null).every(isThere))
        .map((row) => `${name}.${column}: ${row[column]}`);
    }),
  );
}

/** The ids of rows, or of people, in a column. */
function idsIn({ is }: ExportedHolding, value: StoredValue): StoredValue[] {
  if (is === "id") return [value];
  if (value === null) return [];
  if (is === "people") return String(value).split(",").map(Number);
  return is === "peopleJson" ? JSON.parse(String(value)) : [];
}

/** Files of the copy, and the ones among them that a row names. */
async function filesOfCopy(world: World, all: ReadonlyMap<string, Row[]>) {
  const named = exportedTables().flatMap(({ name }) =>
    (all.get(name) ?? []).flatMap((row) => filesOf(name, row)),
  );
  const { id } = await copyOf(world);
  const paths = storedFiles(world).filter((path) => path.startsWith(`${id}/`));
  const stored = paths.map((path) => path.split("/").at(-1) ?? "");
  return { stored, named: stored.filter((file) => named.includes(file)) };
}

/**
 * An export with rows that an import refuses: a message that is too long, a person without a role,
 * a channel that is neither private nor public, an emoji without a picture and a file without an
 * address. The row of a group is missing. Other rows name each of them.
 */
async function makeExport(world: World): Promise<string> {
  const { olga, alice, bob, carol } = world;
  await bob.post("/users/me/subscriptions", { subscriptions: [{ name: "cellar" }] });
  await alice.post("/users/me/subscriptions", { subscriptions: [{ name: "cellar" }] });
  await bob.say("cellar", "x", "to all: @**all**");
  await alice.post("/mark_all_as_read");
  for (const name of ["parrot", "raven"])
    await olga.ask("POST", `/realm/emoji/${name}`, {}, { body: emojiForm(staticPng) });
  await alice.post("/users/me/subscriptions", { subscriptions: [{ name: "kitchen" }] });
  const [menu, plan] = [
    await upload(alice, "menu.txt", "leek soup"),
    await upload(alice, "plan.txt", "lunch"),
  ];
  const long = await alice.say("kitchen", "x", `[menu](${menu})`);
  const short = await alice.say("kitchen", "x", `[menu](${menu}) [plan](${plan})`);
  await carol.tell([alice], "from Carol");
  const cooks = { name: "cooks", description: "", members: [alice.id] };
  const { group_id: cooksId } = (await olga.post("/user_groups/create", cooks)).body;
  const { streams } = (await alice.get("/streams")).body;
  const kitchen = streams.find(({ name }: { name: string }) => name === "kitchen");
  const onlyCooks = { can_send_message_group: { new: cooksId } };
  expect((await olga.patch(`/streams/${kitchen.stream_id}`, onlyCooks)).status).toBe(200);
  const helper = { full_name: "Helper", short_name: "helper" };
  expect((await carol.post("/bots", helper)).status).toBe(200);
  await alice.post("/scheduled_messages", {
    type: "direct",
    to: [carol.id],
    content: "later to Carol",
    scheduled_delivery_timestamp: world.clock.now() + 3_600,
  });
  const draft = { type: "private", to: [bob.id, carol.id], topic: "", content: "to both" };
  await alice.post("/drafts", { drafts: [draft] });
  await upload(carol, "carol.txt", "a file of Carol's");
  await carol.ask("POST", "/users/me/avatar", {}, { body: formOf("carol.png", staticPng) });
  for (const id of [long, short]) {
    await alice.patch(`/messages/${id}`, { content: `edited [menu](${menu}) [plan](${plan})` });
    await alice.post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
    await bob.post("/reminders", {
      message_id: id,
      scheduled_delivery_timestamp: world.clock.now() + 3_600,
    });
    for (const emoji_name of ["+1", "parrot", "raven"])
      for (const person of [alice, carol])
        await person.post(`/messages/${id}/reactions`, { emoji_name });
  }
  const gone = await alice.say("kitchen", "x", "gone");
  await bob.post("/reminders", {
    message_id: gone,
    scheduled_delivery_timestamp: world.clock.now() + 3_600,
  });
  await olga.delete(`/messages/${gone}`);
  return withRefusable(world, long);
}

/**
 * An export of the world in which the import refuses rows; `long`: the message that is too long.
 */
async function withRefusable(world: World, long: number): Promise<string> {
  const [path, changed] = [join(folder, "whole.tar"), join(folder, "changed.tar")];
  await exportRealm(world, world.realm, path);
  const { carol } = world;
  const change = (table: string, row: Row): Row => {
    if (table === "messages" && row["id"] === long) return { ...row, content: "x".repeat(100_000) };
    if (table === "channels" && row["name"] === "cellar") return { ...row, invite_only: 5 };
    if (table === "users" && row["id"] === carol.id) return { ...row, role: 1 };
    if (table === "realm_emoji" && row["name"] === "raven") return { ...row, file_name: "none" };
    if (table === "attachments" && row["name"] === "plan.txt") return { ...row, path_id: "none" };
    return row;
  };
  await rewriteArchive(path, changed, {
    rows: (table, rows) =>
      rows
        .filter((row) => table !== "user_groups" || row["name"] !== "cooks")
        .map((row) => change(table, row)),
  });
  return changed;
}

test("No row of an import names a row that the import refused, also after an interruption", async () => {
  const world = await makeWorld();
  const path = await makeExport(world);
  const dry = await importFile(world.app, path, { ...wanted, isDry: true }, quiet);
  for (const where of ["message_edits", "message_flags"]) {
    const progress = (what: string) => {
      if (what === where) throw new Error("interrupted");
    };
    expect(await outcomeOf(importFile(world.app, path, wanted, { progress }))).toThrow(
      "interrupted",
    );
  }
  const { skipped } = await importFile(world.app, path, wanted, quiet);
  const all = await rowsOfCopy(world);
  expect(danglingIn(all)).toEqual([]);
  const count = (table: string) => all.get(table)?.length;
  const person = (name: string) => all.get("users")?.find((row) => row["full_name"] === name);
  expect(person("Helper")).toMatchObject({ bot_owner_id: null });
  expect(all.get("drafts")?.map(({ to }) => to)).toEqual([`[${person("Bob")?.["id"]}]`]);
  expect(count("reminders")).toBe(3);
  // Of the short message, because that is the one of its channel that was taken.
  expect(count("attachment_messages")).toBe(1);
  expect(all.get("reactions")?.map((row) => row["emoji_name"])).toEqual(["+1", "parrot"]);
  expect(count("message_edits")).toBe(1);
  const [channel] = (all.get("channels") ?? []).filter(({ name }) => name === "kitchen");
  const firstThere = all.get("messages")?.find((row) => row["channel_id"] === channel?.["id"]);
  expect(channel?.["first_message_id"]).toBe(firstThere?.["id"] ?? null);
  expect(JSON.parse(String(channel?.["settings"]))).toMatchObject({
    can_send_message_group: "role:nobody",
  });
  const { stored, named } = await filesOfCopy(world, all);
  expect(stored).toEqual(named);
  const { uploadedBytes } = await copyOf(world);
  const sizes = all.get("attachments")?.map((row) => Number(row["size_bytes"])) ?? [];
  expect(uploadedBytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
  const total = (counts: Record<string, number>) =>
    Object.values(counts).reduce((sum, one) => sum + one, 0);
  expect(total(skipped)).toBe(total(dry.skipped));
  // Reasons name no ids, because they are counted, and stored with each write.
  expect(Object.keys(skipped).filter((reason) => /\d/.test(reason))).toEqual([]);
  await world.close();
});
