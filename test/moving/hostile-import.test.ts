import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { and, eq } from "drizzle-orm";
import type { StoredValue } from "../../db/stored-rows";
import { importFile } from "../../src/moving/import/import-file";
import { exportToFile } from "../../src/moving/realm-archive/to-file";
import { backupFolder } from "../support/archives/backups";
import { signInAll } from "../support/archives/realm-view";
import { rewriteArchive } from "../support/archives/rewrite-archive";
import { outcomeOf } from "../support/outcome";
import { makeWorld, type World } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

const quiet = { progress: () => undefined };
const copyHost = "copy.example.org";
type Row = Record<string, StoredValue>;
let made = 0;
const nextPath = () => join(folder, `${made++}.tar`);

/** The organization's export, with its rows as somebody has made them who wants to do harm. */
async function changed(
  { app, realm }: World,
  rows: (table: string, rows: Row[]) => Row[],
): Promise<string> {
  const [path, changedPath] = [nextPath(), nextPath()];
  await exportToFile(
    app,
    realm,
    path,
    { type: "full_without_consent", withPasswords: true },
    quiet,
  );
  await rewriteArchive(path, changedPath, { rows });
  return changedPath;
}

const wanted = { from: "chatd" as const, host: copyHost, name: undefined, isDry: false };
const importAt = ({ app }: World, path: string) => importFile(app, path, wanted, quiet);

const each = (wanted: string, change: (row: Row) => Row) => (table: string, rows: Row[]) =>
  table === wanted ? rows.map(change) : rows;

describe("rows that were made to do harm", () => {
  test("what could not be set here is not brought along: addresses of code, expressions that are none", async () => {
    const world = await makeWorld();
    const { adam, alice } = world;
    const add = async (path: string, input: Record<string, unknown>) =>
      expect((await adam.post(path, input)).body).toMatchObject({ result: "success" });
    await add("/realm/playgrounds", {
      name: "Run",
      pygments_language: "Python",
      url_template: "https://run.example.org/?c={code}",
    });
    await add("/realm/filters", {
      pattern: "#(?P<id>[0-9]+)",
      url_template: "https://bugs.example.org/{id}",
    });
    await add("/realm/profile_fields", {
      name: "Forge",
      hint: "",
      field_type: 7,
      field_data: { subtype: "custom", url_pattern: "https://forge.example.org/%(username)s" },
    });
    await alice.say("general", "x", "#1");
    const path = await changed(world, (table, rows) =>
      rows.map((row): Row => {
        if (table === "playgrounds") return { ...row, url_template: "javascript:alert(1)//{code}" };
        if (table === "linkifiers") return { ...row, pattern: "(", alternative_url_templates: "{" };
        if (table !== "profile_fields") return row;
        return {
          ...row,
          field_data: '{"subtype":"custom","url_pattern":"javascript:alert(1)//%(username)s"}',
        };
      }),
    );
    const { skipped } = await importAt(world, path);
    expect(Object.keys(skipped).map((reason) => reason.split(":")[0])).toEqual(
      expect.arrayContaining(["playgrounds", "linkifiers", "profile_fields"]),
    );
    const copied = (await signInAll(world, copyHost)).get(alice.email);
    const state = await copied?.post("/register", {
      event_types: ["realm_playgrounds", "realm_linkifiers", "custom_profile_fields"],
    });
    expect(state?.body).toMatchObject({
      result: "success",
      realm_playgrounds: [],
      realm_linkifiers: [],
    });
    expect(JSON.stringify(state?.body)).not.toContain("javascript:");
    const sent = await copied?.post("/messages", {
      type: "channel",
      to: "general",
      topic: "x",
      content: "#2",
    });
    expect(sent?.status).toBe(200);
    await world.close();
  });

  test("a private or archived channel comes neither into a group for newcomers, nor among the default channels, nor on the web", async () => {
    const world = await makeWorld();
    const { adam, alice } = world;
    for (const name of ["open", "gone"])
      await alice.post("/users/me/subscriptions", { subscriptions: [{ name }] });
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "cellar" }],
      invite_only: true,
    });
    const group = { group_name: "Work", description: "", stream_names: ["open", "gone"] };
    expect((await adam.post("/default_stream_groups/create", group)).status).toBe(200);
    const names = new Map<StoredValue | undefined, StoredValue | undefined>();
    const path = await changed(world, (table, rows) => {
      if (table === "channels") {
        for (const { id, name } of rows) names.set(name, id);
        return rows.map((row): Row => {
          if (row["name"] === "gone") return { ...row, is_archived: true, is_default: true };
          return row["name"] === "cellar"
            ? { ...row, is_default: true, is_web_public: true }
            : { ...row, history_public_to_subscribers: false };
        });
      }
      if (table !== "default_channel_group_channels") return rows;
      return [
        ...rows,
        ...rows.slice(0, 1).map((row) => ({ ...row, channel_id: names.get("cellar") ?? 0 })),
      ];
    });
    const why = "default_channel_group_channels: name a channel that newcomers may not choose";
    const dry = await importFile(world.app, path, { ...wanted, isDry: true }, quiet);
    expect(dry.skipped).toEqual({ [why]: 2 });
    expect((await importAt(world, path)).skipped).toEqual({ [why]: 2 });
    const { channels, realms } = world.app.engine.schema;
    const { db } = world.app.engine.reader;
    const [copy] = await db.select().from(realms).where(eq(realms.host, copyHost));
    const stored = await db
      .select()
      .from(channels)
      .where(eq(channels.realmId, copy?.id ?? 0));
    const byName = new Map(stored.map((channel) => [channel.name, channel]));
    expect(byName.get("cellar")).toMatchObject({ isDefault: false, isWebPublic: false });
    expect(byName.get("gone")).toMatchObject({ isDefault: false, isArchived: true });
    expect(byName.get("open")).toMatchObject({ historyPublicToSubscribers: true });
    const copied = (await signInAll(world, copyHost)).get(alice.email);
    const { body } = (await copied?.post("/register", {})) ?? {};
    expect(body.realm_default_stream_groups).toEqual([
      { id: expect.any(Number), name: "Work", description: "", streams: [byName.get("open")?.id] },
    ]);
    await world.close();
  });

  test("JSON of wrong types counts as nothing: everybody gets in and reads", async () => {
    const world = await makeWorld();
    const { alice } = world;
    await alice.say("general", "x", "hello");
    const path = await changed(world, (table, rows) =>
      rows.map((row): Row => {
        if (table === "users")
          return { ...row, settings: "[1]", chosen_settings: "{}", profile_data: "nothing" };
        if (table === "realms") return { ...row, settings: '"x"', user_defaults: "[" };
        return table === "channels" || table === "user_groups" ? { ...row, settings: "{" } : row;
      }),
    );
    await importAt(world, path);
    const copied = (await signInAll(world, copyHost)).get(alice.email);
    for (const answer of [
      await copied?.post("/register", {}),
      await copied?.get("/users", { include_custom_profile_fields: true }),
      await copied?.patch("/settings", { web_font_size_px: 15 }),
    ]) {
      expect(answer?.body).toMatchObject({ result: "success" });
    }
    await world.close();
  });

  test("no hash comes that takes a core or the memory away from all when somebody signs in", async () => {
    const world = await makeWorld();
    const { users } = world.app.engine.schema;
    const salted = "rMcdm4OJr9LnxtuLne88PIwcxJQUuLXXsn8kQ1fbvv8";
    for (const costs of [
      "m=999999,t=2,p=1",
      "m=19456,t=99,p=1",
      "m=19456,t=2,p=99",
      "m=19456,t=2,p=1",
    ]) {
      const hash = `$argon2id$v=19$${costs}$${salted}$${salted}`;
      await importFile(
        world.app,
        await changed(
          world,
          each("users", (row) => ({ ...row, password_hash: hash })),
        ),
        { ...wanted, host: `${costs.replace(/\W/g, "-")}.example.org` },
        quiet,
      );
      const stored = await world.app.engine.reader.db
        .select()
        .from(users)
        .where(eq(users.passwordHash, hash));
      expect([costs, stored.length > 0]).toEqual([costs, costs === "m=19456,t=2,p=1"]);
    }
    await world.close();
  });

  test("H12: messages of people who are not there, of nowhere and of any length do not come", async () => {
    const world = await makeWorld();
    const { alice, bob } = world;
    const [good, gone, nowhere, long, topic] = [
      await alice.say("general", "x", "good"),
      await bob.say("general", "x", "gone"),
      await alice.say("general", "x", "nowhere"),
      await alice.say("general", "x", "long"),
      await alice.say("general", "x", "topic"),
    ];
    const path = await changed(world, (table, rows) => {
      if (table === "users") return rows.filter(({ id }) => id !== bob.id);
      if (table !== "messages") return rows;
      return rows.map((row): Row => {
        if (row["id"] === nowhere) return { ...row, channel_id: null };
        if (row["id"] === long) return { ...row, content: "x".repeat(100_000) };
        return row["id"] === topic ? { ...row, topic: "x".repeat(1_000) } : row;
      });
    });
    expect([good, gone].every((id) => id > 0)).toBe(true);
    await importAt(world, path);
    const copied = (await signInAll(world, copyHost)).get(alice.email);
    const page = { anchor: "oldest", num_before: 0, num_after: 1_000, narrow: [] };
    const read = await copied?.get("/messages", page);
    expect(read?.status).toBe(200);
    const shown = read?.body.messages.filter(({ subject }: { subject: string }) => subject === "x");
    expect(shown.map(({ content }: { content: string }) => content)).toEqual(["<p>good</p>"]);
    expect((await copied?.post("/register", {}))?.status).toBe(200);
    await world.close();
  });

  test("rows that are the same here, though not there, do not stop it half way", async () => {
    const world = await makeWorld();
    const { alice, bob } = world;
    const path = await changed(
      world,
      each("users", (row) =>
        row["id"] === bob.id
          ? { ...row, realm_id: 77, email: alice.email, email_key: alice.email }
          : row,
      ),
    );
    await importAt(world, path);
    const { users, realms } = world.app.engine.schema;
    const { db } = world.app.engine.reader;
    const [copy] = await db.select().from(realms).where(eq(realms.host, copyHost));
    expect(copy?.isActive).toBe(true);
    const same = and(
      eq(users.realmId, copy?.id ?? 0),
      eq(users.emailKey, alice.email.toLowerCase()),
    );
    expect((await db.select().from(users).where(same)).length).toBe(1);
    await world.close();
  });

  test("ids that no server gives out are refused, and so are those for which there is no room", async () => {
    const world = await makeWorld();
    for (const word of ["one", "two"]) await world.alice.say("general", "x", word);
    const withLastId = (id: number) =>
      changed(world, (table, rows) => {
        if (table !== "messages") return rows;
        return rows.map((row, at) => (at === rows.length - 1 ? { ...row, id } : row));
      });
    for (const id of [2 ** 40 + 1, 2 ** 52]) {
      expect(await outcomeOf(importAt(world, await withLastId(id)))).toThrow(
        "none that a server gives out",
      );
    }
    const path = await withLastId(2 ** 40);
    const at = (host: string) => importFile(world.app, path, { ...wanted, host }, quiet);
    for (const host of ["a", "b", "c"]) await at(`${host}.example.org`);
    expect(await outcomeOf(at("d.example.org"))).toThrow("so far apart");
    const { realms } = world.app.engine.schema;
    expect(
      await world.app.engine.reader.db
        .select()
        .from(realms)
        .where(eq(realms.host, "d.example.org")),
    ).toEqual([]);
    expect(await world.alice.say("general", "x", "on we go")).toBeLessThan(2 ** 42);
    await world.close();
  });

  test("columns that there are none of are told of as a broken file", async () => {
    const world = await makeWorld();
    const path = nextPath();
    await exportToFile(
      world.app,
      world.realm,
      path,
      { type: "public", withPasswords: false },
      quiet,
    );
    for (const [columns, row] of [
      ['["id","realm_id\\") VALUES (1); --"]', "[1,1]"],
      ['["id","no_such_column"]', "[1,1]"],
      ['["id"]', '["x"]'],
    ]) {
      const bad = nextPath();
      const part = await Bun.zstdCompress(`${columns}\n${row}\n`);
      await rewriteArchive(path, bad, { more: { "tables/alert_words/000009.jsonl.zst": part } });
      expect(await outcomeOf(importAt(world, bad))).toThrow("no whole export");
    }
    await world.close();
  });
});
