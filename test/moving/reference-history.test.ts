import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { importFile } from "../../src/moving/import/import-file";
import { exportReference } from "../../src/moving/reference/export";
import { backupFolder } from "../support/backups";
import type { Client } from "../support/client";
import { signInAll } from "../support/realm-view";
import { makeWorld, type World } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

let made = 0;
let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** People of a copy of the organization, which was exported for Zulip and imported again. */
async function copied(): Promise<Map<string, Client>> {
  const path = join(folder, `${made++}.tar.gz`);
  const quietly = { progress: () => undefined, check: () => undefined };
  await exportReference(world.operator, path, quietly);
  const host = `copy${made}.example.org`;
  const wanted = { from: "reference", host, name: undefined, isDry: false } as const;
  await importFile(world.app, path, wanted, quietly);
  return signInAll(world, host);
}

/** Texts by people in the channel with protected history, as somebody reads them. */
async function readBy(person: Client | undefined): Promise<string[]> {
  const narrow = [
    ["channel", "secret"],
    ["topic", "x"],
  ];
  const page = { anchor: "newest", num_before: 100, num_after: 0, apply_markdown: false, narrow };
  const { body } = (await person?.get("/messages", page)) ?? { body: {} };
  return body.messages.map(({ content }: { content: string }) => content);
}

const subscriptions = [{ name: "secret" }];
const leave = (person: Client) =>
  person.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
const bring = (by: Client | undefined, ...emails: string[]) =>
  by?.post("/users/me/subscriptions", { subscriptions, principals: emails });

describe("in a channel with protected history, an archive of Zulip brings", () => {
  test("nothing of the time between two stays of somebody", async () => {
    const { alice, bob, carol } = world;
    await alice.say("secret", "x", "bob was there");
    await leave(bob);
    await alice.say("secret", "x", "bob was away");
    await bring(alice, bob.email, carol.email);
    await alice.say("secret", "x", "bob is back");
    await leave(carol);
    await alice.say("secret", "x", "carol has left");
    const people = await copied();
    const read = ["bob was there", "bob is back", "carol has left"];
    expect(await readBy(bob)).toEqual(read);
    expect(await readBy(people.get(bob.email))).toEqual(read);
    await bring(people.get(alice.email), carol.email);
    expect(await readBy(people.get(carol.email))).toEqual(["bob is back"]);
    expect(await readBy(people.get(alice.email))).toHaveLength(4);
  });
});
