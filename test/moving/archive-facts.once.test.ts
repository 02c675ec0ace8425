import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaOf } from "../../db/schema";
import { findTraits } from "../../db/schema/traits";
import { userSettings } from "../../src/people/settings/user-settings";
import { realmSettings } from "../../src/realm/settings";
import { plainTypes, readArchiveFacts } from "../support/archives/archive-facts";
import { root } from "../support/root";
import { listTree } from "../support/tidy/source-tree";

/* The facts of the reference server's archive, on which the export in its form relies. */

const facts = readArchiveFacts();

test("each field has a type, and each table that a field refers to is there", () => {
  const unknown = [...facts].flatMap(([table, { fields }]) =>
    [...fields]
      .filter(([, { type }]) => !plainTypes.includes(type) && !facts.get(type)?.fields.has("id"))
      .map(([field, { type }]) => `${table}.${field}: ${type}`),
  );
  expect(unknown).toEqual([]);
  expect(facts.size).toBeGreaterThan(50);
});

test("each setting of people and organizations has its field", () => {
  const settings = facts.get("zerver_userprofile")?.fields;
  const columns = facts.get("zerver_realm")?.fields;
  const columnOf = (name: string) => name.replace(/_(stream|channel)_id$/, "_$1");
  expect(Object.keys(userSettings).filter((name) => !settings?.has(name))).toEqual([]);
  expect(Object.keys(realmSettings).filter((name) => !columns?.has(columnOf(name)))).toEqual([]);
});

test("each table that is exported has its rows in the archive, or counted as left out", () => {
  const withOthers = [
    // The members of a conversation stand in its own row.
    "conversationMembers",
    // The channels of a group of default channels, which are left out with it.
    "defaultChannelGroupChannels",
  ];
  const sources = listTree("src/moving/reference")
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
  // Names of tables where code takes them from the schema: words in comments do not count.
  const read = new Set([
    ...[...sources.matchAll(/\bt\.(\w+)/g)].map(([, name]) => name),
    ...[...sources.matchAll(/\bconst \{([^}]+)\} = (?:reader\.)?t;/g)].flatMap(([, names = ""]) =>
      names.split(",").map((one) => one.split(":")[0]?.trim()),
    ),
  ]);
  const exported = Object.entries(schemaOf("sqlite")).filter(([, table]) => {
    const traits = findTraits(table);
    return traits !== undefined && "exported" in traits;
  });
  const missing = exported.map(([name]) => name).filter((name) => !read.has(name));
  expect(exported.length).toBeGreaterThan(35);
  expect(missing.toSorted()).toEqual(withOthers.toSorted());
});

test("the import reads no table that the archive does not have", () => {
  const olderTables = ["zerver_mutedtopic"];
  const sources = listTree("src/moving/import/reference").map((path) =>
    readFileSync(join(root, path), "utf8"),
  );
  const read = new Set(sources.join("\n").match(/(?<=")zerver_[a-z]+(?=")/g));
  expect([...read].filter((name) => !facts.has(name))).toEqual(olderTables);
});
