import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { RunningApp } from "../../src/app";
import { importFile } from "../../src/moving/import/import-file";
import { applyOrganization, diffOrganization } from "../../src/moving/organization/apply";
import { dumpOrganization } from "../../src/moving/organization/dump";
import { parseDeclaration } from "../../src/moving/organization/parse";
import { exportToFile } from "../../src/moving/realm-archive/to-file";
import { pictureDigest } from "../../src/pictures/digest";
import { listRealmEmoji } from "../../src/realm/realm-emoji/queries";
import { backupFolder } from "../support/archives/backups";
import { generateOrganization } from "../support/archives/generated-organization";
import { rewriteArchive } from "../support/archives/rewrite-archive";
import { testEngine } from "../support/databases/storage";
import { movingGif, staticPng } from "../support/pictures";
import { makeWorld, type World } from "../support/world";

let world: World;
let other: World;
beforeAll(async () => {
  world = await makeWorld();
  other = await makeWorld();
});
afterAll(async () => {
  await world.close();
  await other.close();
});

/** Some of them on PostgreSQL, because little in these organizations depends on the engine. */
const seeds = testEngine === "postgres" ? 10 : 25;

/** Files beside the organization's file. */
const files = new Map<string, Uint8Array>([
  ["acme.png", staticPng],
  ["party.gif", movingGif],
]);

const parse = (text: string) =>
  parseDeclaration({
    name: "org.yaml",
    text,
    readFile: (path: string) => files.get(path) ?? new Uint8Array(),
  });

const apply = (app: RunningApp, text: string) => applyOrganization(app, parse(text));

async function differences(app: RunningApp, text: string): Promise<string[]> {
  return (await diffOrganization(app, parse(text))).changes.flatMap(({ lines }) => lines);
}

/** The dump of an organization, whose pictures then lie beside it. */
async function dump({ app }: World, realm: World["realm"]): Promise<string> {
  const { text, pictures } = await dumpOrganization(app, realm, "pictures");
  for (const { file, key } of pictures) {
    const content = await app.files.find(key);
    if (!content) throw new Error(`${file} is not in the store`);
    files.set(file, new Uint8Array(await content.arrayBuffer()));
  }
  return text;
}

describe("A dump of an organization", () => {
  test("applied to an empty server and dumped again is the same file, whatever is in it", async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const organization = generateOrganization(seed, `s${seed}.example.com`);
      const { realm } = await apply(world.app, JSON.stringify(organization));
      const first = await dump(world, realm);
      expect(await differences(world.app, first)).toEqual([]);
      const again = await apply(other.app, first);
      expect(await dump(other, again.realm)).toBe(first);
      expect(await differences(other.app, JSON.stringify(organization))).toEqual([]);
    }
  }, 120_000);

  test("of an organization that people have changed leaves out what a file cannot declare", async () => {
    const { realm, alice, bob, olga, app } = world;
    await bob.post("/users/me/subscriptions", {
      subscriptions: [{ name: "gone" }, { name: "bob's", description: "by Bob" }],
    });
    await olga.post("/user_groups/create", {
      name: "idle",
      description: "",
      members: [alice.id, bob.id],
      subgroups: [],
    });
    const channels = (await olga.get("/streams")).body.streams;
    const gone = channels.find(({ name }: { name: string }) => name === "gone");
    await olga.delete(`/streams/${gone.stream_id}`);
    await olga.delete(`/users/${bob.id}`);
    const text = await dump(world, realm);
    expect(text).toContain("name: bob's");
    expect(text).not.toContain("name: gone");
    expect(text).not.toContain(bob.email);
    expect(await differences(app, text)).toEqual([]);
    const copy = await apply(other.app, text.replace(realm.host, "copy.example.com"));
    expect(await dump(other, copy.realm)).toBe(text.replace(realm.host, "copy.example.com"));
  });

  test("has its pictures beside it, which are the ones that are there already", async () => {
    const text = `realm: {name: Acme, host: pictures.example.com, icon: acme.png, logo: acme.png}
emoji: [{name: party, file: party.gif}, {name: still, file: acme.png}]
`;
    const { realm } = await apply(world.app, text);
    const first = await dump(world, realm);
    expect(first).toContain("icon: pictures/icon.png");
    expect(first).toContain("{ name: party, file: pictures/emoji-party.gif }");
    expect(await differences(world.app, first)).toEqual([]);
    const written = pictureDigest(files.get("pictures/icon.png") ?? staticPng);
    expect(written).not.toBe(pictureDigest(staticPng));
    const copy = await apply(other.app, first);
    expect(copy.changes.flatMap(({ lines }) => lines)).toContain(
      "+ emoji party: pictures/emoji-party.gif",
    );
    expect(await dump(other, copy.realm)).toBe(first);
    const { text: alone, pictures } = await dumpOrganization(world.app, realm, undefined);
    expect(pictures).toEqual([]);
    expect(alone).not.toContain("pictures/");
  });

  test("of an imported organization changes none of its pictures", async () => {
    const host = "moved.example.com";
    const text = `realm: {name: Acme, host: ${host}, icon: acme.png, logo: acme.png}
emoji: [{name: still, file: acme.png}, {name: party, file: party.gif}]
`;
    const { realm } = await apply(world.app, text);
    const { folder, remove } = backupFolder();
    const [path, withoutDigests] = [join(folder, "moved.tar"), join(folder, "unknown.tar")];
    const quiet = { progress: () => undefined };
    const everything = { type: "full_without_consent", withPasswords: false } as const;
    await exportToFile(world.app, realm, path, everything, quiet);
    const wanted = { from: "chatd", host, name: undefined, isDry: false } as const;
    await importFile(other.app, path, wanted, quiet);
    expect(await differences(other.app, text)).toEqual([]);

    // An import from another system does not know the files that its pictures were made from.
    const unknown: Record<string, Record<string, null>> = {
      realms: { icon_digest: null, logo_digest: null },
      realm_emoji: { source_digest: null },
    };
    await rewriteArchive(path, withoutDigests, {
      rows: (table, rows) => rows.map((row) => ({ ...row, ...unknown[table] })),
    });
    const elsewhere = { ...wanted, host: "elsewhere.example.com" };
    const report = await importFile(other.app, withoutDigests, elsewhere, quiet);
    remove();
    if (!report.realm) throw new Error("Nothing was imported.");
    expect(await differences(other.app, await dump(other, report.realm))).toEqual([]);
    // Its pictures are what these files become here.
    const originals = text.replace(host, elsewhere.host);
    expect(await differences(other.app, originals)).toEqual([]);
    const digests = async () => {
      const { db, t } = other.app.engine.reader;
      const [copy] = await db.select().from(t.realms).where(eq(t.realms.host, elsewhere.host));
      const [still] = await listRealmEmoji(other.app.engine.reader, copy?.id ?? 0);
      return [copy?.iconDigest, copy?.logoDigest, still?.sourceDigest];
    };
    expect(await digests()).toEqual([null, null, null]);
    const applied = await Promise.all([apply(other.app, originals), apply(other.app, originals)]);
    expect(applied.flatMap(({ changes }) => changes)).toEqual([]);
    expect(await digests()).toEqual(Array(3).fill(pictureDigest(staticPng)));
    expect(await differences(other.app, originals)).toEqual([]);
    expect(await differences(other.app, await dump(other, report.realm))).toEqual([]);
    const others = originals.replace("icon: acme.png", "icon: party.gif");
    expect(await differences(other.app, others)).toEqual(["~ organization: icon party.gif"]);
  });

  test("says at its beginning what no file can hold", async () => {
    const { text } = await dumpOrganization(world.app, world.realm, undefined);
    const head = text.split("\n").filter((line) => line.startsWith("#"));
    expect(head.join("\n")).toContain(
      "passwords and API keys; messages, topics and uploaded files",
    );
    expect(head.join("\n")).toContain("pictures (icon, logos, emoji) are left out");
  });
});
