import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { StoredValue } from "../../db/stored-rows";
import { camelCase } from "../../src/core/text/snake-case";
import { readArchive, writeArchive } from "../../src/moving/backup/archive";
import { makeHeader, paddingOf } from "../../src/moving/backup/tar";
import { importFile } from "../../src/moving/import/import-file";
import { exportToFile } from "../../src/moving/realm-archive/to-file";
import { backupFolder } from "../support/archives/backups";
import { signInAll } from "../support/archives/realm-view";
import { rewriteArchive } from "../support/archives/rewrite-archive";
import { writeSlackExport } from "../support/archives/slack-export";
import { makeWorld, type World } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

type Row = Record<string, StoredValue>;
const quiet = { progress: () => undefined };
const copyHost = "copy.example.org";
let made = 0;
const nextPath = () => join(folder, `${made++}.tar`);

async function exported({ app, realm }: World): Promise<string> {
  const path = nextPath();
  await exportToFile(
    app,
    realm,
    path,
    { type: "full_without_consent", withPasswords: true },
    quiet,
  );
  return path;
}

const importAt = ({ app }: World, path: string, from: "chatd" | "slack" | "zulip" = "chatd") =>
  importFile(app, path, { from, host: copyHost, name: undefined, isDry: false }, quiet);

/** Text that an import must not bring into a line: it begins another header, line or direction. */
const harm = "\r\nBcc: x@evil.example\r\n\u2028\u202e\u200b";
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const hidden = /[\u202e\u200b]/u;

const named: Record<string, string[]> = {
  users: ["full_name", "email", "timezone"],
  channels: ["name"],
  channel_folders: ["name"],
  user_groups: ["name"],
  profile_fields: ["name", "hint"],
  messages: ["topic", "client"],
  user_topics: ["topic"],
  drafts: ["topic"],
  scheduled_messages: ["topic"],
  saved_snippets: ["title"],
  user_statuses: ["status_text"],
};

/** Every text that a table of the copy holds in a column, with where it stands. */
async function storedTexts({ app }: World, realmId: number): Promise<[string, string][]> {
  const { db, t } = app.engine.reader;
  const tables = {
    users: t.users,
    channels: t.channels,
    channel_folders: t.channelFolders,
    user_groups: t.userGroups,
    profile_fields: t.profileFields,
    messages: t.messages,
    user_topics: t.userTopics,
    drafts: t.drafts,
    scheduled_messages: t.scheduledMessages,
    saved_snippets: t.savedSnippets,
    user_statuses: t.userStatuses,
  };
  const texts: [string, string][] = [];
  for (const [name, table] of Object.entries(tables)) {
    const rows: Record<string, unknown>[] = await db
      .select()
      .from(table)
      .where(eq(table.realmId, realmId));
    for (const row of rows)
      for (const column of named[name] ?? []) {
        const value = row[camelCase(column)];
        if (typeof value === "string") texts.push([`${name}.${column}`, value]);
      }
  }
  return texts;
}

test("names, topics, titles and addresses of an import hold no line break and nothing that is not seen", async () => {
  const world = await makeWorld();
  const { olga, alice, bob } = world;
  await olga.post("/channel_folders/create", { name: "Work", description: "" });
  await olga.post("/user_groups/create", {
    name: "cooks",
    description: "two\nlines",
    members: [alice.id],
  });
  await olga.post("/realm/profile_fields", { name: "Link", hint: "hint", field_type: 5 });
  const [field] = (await olga.get("/realm/profile_fields")).body.custom_fields;
  await alice.patch("/users/me/profile_data", {
    data: [{ id: field.id, value: "https://a.example" }],
  });
  await alice.say("general", "lunch", "hello\nworld");
  await alice.post("/user_topics", {
    stream_id: world.channels.general,
    topic: "lunch",
    visibility_policy: 3,
  });
  await alice.post("/saved_snippets", { title: "title", content: "a\nb" });
  await alice.post("/users/me/status", { status_text: "away" });
  await alice.post("/drafts", {
    drafts: [{ type: "stream", to: [world.channels.general], topic: "lunch", content: "x" }],
  });
  const path = nextPath();
  await rewriteArchive(await exported(world), path, {
    rows: (table, rows) =>
      rows.map((row): Row => {
        if (table === "user_groups" && row["is_system"]) return row;
        if (table === "users" && row["id"] !== bob.id) {
          const told = String(row["profile_data"] ?? "{}").replaceAll(
            "https://a.example",
            "javascript:alert(1)",
          );
          const name = row["is_system_bot"]
            ? String(row["full_name"])
            : "Notif\u202e\u200bication Bot";
          return { ...row, full_name: name, profile_data: told };
        }
        const texts = (named[table] ?? []).map((column) => [column, `${row[column]}${harm}`]);
        return {
          ...row,
          ...Object.fromEntries(texts),
          ...(table === "users" ? { is_system_bot: true, bot_type: 1 } : {}),
        };
      }),
  });
  const { realm } = await importAt(world, path);
  const texts = await storedTexts(world, realm?.id ?? 0);
  expect(new Set(texts.map(([column]) => column)).size).toBeGreaterThanOrEqual(14);
  expect(texts.filter(([, text]) => breaks.test(text))).toEqual([]);
  // Statuses, hints and the like are texts: they stay as they are within their line.
  const isName = (column: string) => !/hint|status_text|timezone|client/.test(column);
  expect(texts.filter(([column, text]) => isName(column) && hidden.test(text))).toEqual([]);
  const shown = texts.map(([, text]) => text);
  expect(shown).toEqual(
    expect.arrayContaining([expect.stringMatching(/^general Bcc: x@evil\.example \(\d+\)$/)]),
  );
  const copied = (await signInAll(world, copyHost)).get(alice.email);
  const state = (await copied?.post("/register", {}))?.body;
  const people: { full_name: string; profile_data?: unknown }[] = state.realm_users;
  expect(people.filter(({ full_name }) => full_name.startsWith("Notif"))).toEqual([]);
  expect(state.cross_realm_bots).toHaveLength(2);
  expect(JSON.stringify(state)).not.toContain("javascript:");
  const cooks = state.realm_user_groups.find(({ name }: { name: string }) =>
    name.startsWith("cooks"),
  );
  expect(cooks.description).toBe("two\nlines");
  await world.close();
});

test("an archive that has two entries of one name is refused in words, whatever its form", async () => {
  const world = await makeWorld();
  await world.alice.say("general", "x", "hello");
  const twice: [string, "chatd" | "slack" | "zulip"][] = [];
  const own = await exported(world);
  for (const doubled of ["manifest.json", "tables/users/", "files/"]) {
    const path = nextPath();
    const pieces: Uint8Array[] = [];
    const archive = writeArchive(async (bytes) => void pieces.push(Buffer.from(bytes)), 0);
    for await (const entry of readArchive(new Blob([readFileSync(own)]).stream())) {
      const bytes = await entry.bytes();
      await archive.add(entry.name, bytes);
      if (doubled !== "files/" && entry.name.startsWith(doubled))
        await archive.add(entry.name, bytes);
    }
    if (doubled === "files/")
      for (const _ of [1, 2]) await archive.add("files/AAAAAAAAAAAAAAAAAAAAAAAA", "x");
    await archive.end({ files: 2, rows: 0 });
    writeFileSync(path, Buffer.concat(pieces));
    twice.push([path, "chatd"]);
  }
  const slack = nextPath();
  writeSlackExport(slack);
  const renamed = Buffer.from(
    readFileSync(slack).toString("latin1").replaceAll("mpims.json", "users.json"),
    "latin1",
  );
  writeFileSync(slack, renamed);
  twice.push([slack, "slack"]);
  const reference = nextPath();
  const entry = (name: string, text: string) =>
    Buffer.concat([
      makeHeader({ name, sizeBytes: text.length }, 0),
      Buffer.from(text),
      Buffer.alloc(paddingOf(text.length)),
    ]);
  const both = [
    entry("export/realm.json", "{}"),
    entry("export/realm.json", "{}"),
    Buffer.alloc(1024),
  ];
  writeFileSync(reference, Bun.gzipSync(Buffer.concat(both)));
  twice.push([reference, "zulip"]);
  for (const [path, from] of twice) {
    const refused = await importAt(world, path, from).catch((error: unknown) => error);
    expect([from, refused instanceof Error && refused.message]).toEqual([
      from,
      expect.stringContaining("twice"),
    ]);
  }
  await world.close();
});
