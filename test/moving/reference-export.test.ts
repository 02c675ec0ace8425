import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { operatorContext } from "../../src/core/operator";
import { deleteUser } from "../../src/management/accounts/delete";
import { importFile } from "../../src/moving/import/import-file";
import { unpackTar } from "../../src/moving/import/tarball";
import { applyOrganization } from "../../src/moving/organization/apply";
import { parseDeclaration } from "../../src/moving/organization/parse";
import { exportReference } from "../../src/moving/reference/export";
import { findRealmByHost } from "../../src/realm/queries";
import { archiveProblems } from "../support/archives/archive-check";
import { backupFolder } from "../support/archives/backups";
import { fillRealm } from "../support/archives/full-realm";
import { generateOrganization } from "../support/archives/generated-organization";
import { generateTalk } from "../support/archives/generated-talk";
import { viewOrganization } from "../support/archives/organization-view";
import { signInAll } from "../support/archives/realm-view";
import type { Client } from "../support/client";
import { testEngine } from "../support/databases/storage";
import { formOf } from "../support/files";
import { outcomeOf } from "../support/outcome";
import { staticPng } from "../support/pictures";
import { makeWorld, type World, worldHost } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

let made = 0;
const nextPath = () => join(folder, `${made++}.tar.gz`);
const quietly = { progress: () => undefined, check: () => undefined };

async function exported({ app }: World, host: string) {
  const realm = await findRealmByHost(app.engine.reader, host);
  if (!realm) throw new Error(`nobody is at ${host}`);
  const path = nextPath();
  const report = await exportReference(operatorContext(app, realm), path, quietly);
  return { path, report, files: await unpackTar(path, join(folder, `unpacked-${made}`)) };
}

const imported = ({ app }: World, path: string, host: string) =>
  importFile(
    app,
    path,
    { from: "zulip", host, name: undefined, isDry: false },
    { progress: () => undefined },
  );

/**
 * Things that an import has left out, beside things of bots, of which only the accounts come over.
 */
const beyondBots = ({ skipped }: { skipped: Record<string, number> }) =>
  Object.keys(skipped).filter((why) => !/: belong to bots/.test(why));

describe("An export in the form of the reference server", () => {
  /** World with a full organization. Tests look at it, and add messages to a topic of their own. */
  let full: World;
  beforeAll(async () => {
    full = await makeWorld();
    await fillRealm(full);
  });
  afterAll(() => full.close());

  test("has every table and every field as the facts say, of everything that there can be", async () => {
    const { files, report, path } = await exported(full, worldHost);
    expect(await archiveProblems(files)).toEqual([]);
    expect(report.leftOut).toMatchObject({
      "drafts: the form has none": 2,
      "reminders: the form has none": 1,
      "files: no message links to them": 1,
      "statuses: the format cannot store when they end": 1,
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(full.place.dataFolder).filter((name) => /^importing/.test(name))).toEqual(
      [],
    );
  });

  test("holds no secret: no hash of a password, no key, no token", async () => {
    const { files } = await exported(full, worldHost);
    const text = JSON.stringify(await files.json("realm.json"));
    expect(text).not.toContain("argon2");
    expect(text).not.toContain(full.alice.credentials?.apiKey ?? "?");
    const { zerver_service: services } = JSON.parse(text);
    expect(services.map(({ token }: { token: string }) => token)).toEqual([""]);
    expect(text).not.toMatch(/"(?:password|api_key|uuid_owner_secret)"/);
  });

  test("appears under its name only when it is whole, and replaces nothing", async () => {
    const world = await makeWorld();
    const path = nextPath();
    const stop = new Error("stop");
    const check = () => {
      throw stop;
    };
    const work = exportReference(world.operator, path, { progress: () => undefined, check });
    expect(await outcomeOf(work)).toThrow("stop");
    expect(existsSync(path)).toBe(false);
    await exportReference(world.operator, path, quietly);
    let copied = 0;
    const counting = { ...quietly, check: () => copied++ };
    expect(await outcomeOf(exportReference(world.operator, path, counting))).toThrow(
      "already exists",
    );
    expect(copied).toBe(0);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
    await world.close();
  });

  test("fails where its copy cannot be unpacked, as on a full disk, and leaves nothing behind", async () => {
    const [before, dataBefore] = [readdirSync(folder), readdirSync(full.place.dataFolder)];
    let unpacked = 0;
    const progress = () => {
      unpacked += 1;
      if (unpacked === 2) throw new Error("no space left");
    };
    const work = exportReference(full.operator, nextPath(), { progress, check: () => undefined });
    expect(await outcomeOf(work)).toThrow("no space left");
    expect(readdirSync(folder)).toEqual(before);
    expect(readdirSync(full.place.dataFolder)).toEqual(dataBefore);
  });

  test("counts a person's picture whose file is gone", async () => {
    const stored = readdirSync(full.place.dataFolder, { recursive: true, encoding: "utf8" });
    const [picture = ""] = stored.filter((name) => name.endsWith("-avatar-original"));
    const [path, aside] = [join(full.place.dataFolder, picture), join(folder, "picture")];
    renameSync(path, aside);
    const { files, report } = await exported(full, worldHost);
    renameSync(aside, path);
    expect(report.leftOut).toMatchObject({ "avatars: their picture is missing": 1 });
    expect(await files.json("avatars/records.json")).toEqual([]);
  });

  test("marks the messages with links, images and files that a search here finds", async () => {
    const { alice } = full;
    const upload = (name: string) =>
      alice.ask("POST", "/user_uploads", {}, { body: formOf(name, staticPng) });
    const [soup, note] = [(await upload("soup.png")).body.url, (await upload("n.txt")).body.url];
    for (const text of [
      "[elsewhere](https://x.example/a.png?s=1)",
      `![soup](${soup})`,
      `[note](${note})`,
      `\`${soup}\` is where it was`,
      ":tuffy: and <https://x.example/>",
      "nothing",
    ])
      await alice.say("general", "marks", text);
    const search = async (operand: string) => {
      const narrow = JSON.stringify([
        { operator: "topic", operand: "marks" },
        { operator: "has", operand },
      ]);
      const params = { narrow, anchor: "newest", num_before: 50, num_after: 0 };
      const found: { id: number }[] = (await alice.get("/messages", params)).body.messages;
      return found.map(({ id }) => id);
    };
    const { files } = await exported(full, worldHost);
    const text = JSON.stringify(await files.json("messages-000001.json"));
    const rows: Record<string, unknown>[] = JSON.parse(text).zerver_message;
    const marked = (field: string) =>
      rows.filter((row) => row["subject"] === "marks" && row[field]).map((row) => row["id"]);
    for (const [operand, count] of [
      ["image", 2],
      ["link", 3],
      ["attachment", 2],
    ] as const) {
      const found = await search(operand);
      expect([operand, found.length]).toEqual([operand, count]);
      expect([operand, marked(`has_${operand}`)]).toEqual([operand, found]);
    }
  });

  test("imported again, is the organization that it was", async () => {
    const other = await makeWorld();
    const { path } = await exported(full, worldHost);
    const report = await imported(other, path, "there.example.org");
    expect(beyondBots(report)).toEqual([]);
    const before = await viewOrganization(full, worldHost);
    expect(await viewOrganization(other, "there.example.org")).toEqual(before);
    await other.close();
  });
});

test("imported again, groups, permissions and mentions have the system groups that they had", async () => {
  const world = await makeWorld();
  const { olga, alice, bob } = world;
  const groupsOf = async (person: Client) => (await person.get("/user_groups")).body.user_groups;
  const idOf = async (person: Client, wanted: string): Promise<number> =>
    (await groupsOf(person)).find(({ name }: { name: string }) => name === wanted)?.id;
  const moderators = await idOf(olga, "role:moderators");
  const mixed = { direct_members: [bob.id], direct_subgroups: [moderators] };
  const group = { name: "crew", description: "", members: [alice.id], subgroups: [moderators] };
  await olga.post("/user_groups/create", group);
  await olga.patch("/realm", { can_create_groups: { new: mixed } });
  await olga.say("general", "x", "@_*role:moderators* and @*crew*");
  const { path } = await exported(world, worldHost);
  await imported(world, path, "groups.example.org");
  const owner = (await signInAll(world, "groups.example.org")).get(olga.email);
  if (!owner) throw new Error("the owner is not there");
  const id = await idOf(owner, "role:moderators");
  const crew = (await groupsOf(owner)).find(({ name }: { name: string }) => name === "crew");
  expect(crew).toMatchObject({ direct_subgroup_ids: [id] });
  const { state } = await owner.register();
  expect(state.realm_can_create_groups).toMatchObject({ direct_subgroups: [id] });
  const { body } = await owner.get("/messages", { anchor: "newest", num_before: 1, num_after: 0 });
  expect(body.messages[0].content).toContain(`data-user-group-id="${id}"`);
  expect(body.messages[0].content).toContain(`data-user-group-id="${crew.id}"`);
  await world.close();
});

test("imported again, people who were deleted for good stay so, and pictures that the server draws", async () => {
  const world = await makeWorld();
  const { operator, olga, alice, carol } = world;
  const picturesOf = async (reader: Client | undefined, id: number) => {
    const { body } = (await reader?.get(`/users/${id}`, { client_gravatar: false })) ?? {};
    return body.user.avatar_url.startsWith("https://secure.gravatar.com/") ? "Gravatar" : "drawn";
  };
  const { db, t } = world.app.engine.openReader();
  expect((await olga.patch("/realm", { default_avatar_source: "J" })).status).toBe(200);
  expect(await picturesOf(olga, alice.id)).toBe("drawn");
  await deleteUser(operator, carol.id);
  const { path } = await exported(world, worldHost);
  await imported(world, path, "gone.example.org");
  const owner = (await signInAll(world, "gone.example.org")).get(olga.email);
  const { state } = (await owner?.register()) ?? { state: {} };
  const idOf = (name: string): number =>
    [...state.realm_users, ...state.realm_non_active_users].find(
      ({ full_name }) => full_name === name,
    )?.user_id;
  expect(await picturesOf(owner, idOf("Alice"))).toBe("drawn");
  const gone = idOf(`Deleted user ${carol.id}`);
  expect((await owner?.get(`/users/${gone}`))?.body.user).toMatchObject({ is_deleted: true });
  expect((await owner?.post(`/users/${gone}/reactivate`))?.body.msg).toContain("deleted for good");
  const rows = await db.select().from(t.users).where(eq(t.users.id, gone));
  expect(rows).toMatchObject([
    { email: expect.stringMatching(/^imported-\d+@gone\.example\.org$/), isDeleted: true },
  ]);
  await world.close();
});

/** Fewer organizations on PostgreSQL, because little in them depends on the engine. */
const seeds = testEngine === "postgres" ? 2 : 6;

describe("What is exported and imported, whatever the organization is", () => {
  test("has the people, channels, groups, messages, reactions and files", async () => {
    const [world, other] = [await makeWorld(), await makeWorld()];
    for (let seed = 1; seed <= seeds; seed++) {
      const host = `s${seed}.example.com`;
      const text = JSON.stringify(generateOrganization(seed, host));
      const readFile = () => new Uint8Array();
      await applyOrganization(world.app, parseDeclaration({ name: "org.yaml", text, readFile }));
      const sent = await generateTalk(world, host, seed);
      const { path, files, report } = await exported(world, host);
      expect([seed, await archiveProblems(files)]).toEqual([seed, []]);
      expect(report.messages).toBeGreaterThanOrEqual(sent);
      expect(beyondBots(await imported(other, path, host))).toEqual([]);
      const before = await viewOrganization(world, host);
      expect(await viewOrganization(other, host)).toEqual(before);
    }
    await world.close();
    await other.close();
  }, 240_000);
});
