import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { importFile } from "../../src/moving/import/import-file";
import { exportReference } from "../../src/moving/reference/export";
import { backupFolder } from "../support/archives/backups";
import { signInAll } from "../support/archives/realm-view";
import { exportedRealm, writeReferenceExport } from "../support/archives/reference-export";
import type { Client } from "../support/client";
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
  const wanted = { from: "zulip", host, name: undefined, isDry: false } as const;
  await importFile(world.app, path, wanted, quietly);
  return signInAll(world, host);
}

/** Texts by people in a channel with protected history, as somebody reads them. */
async function readBy(person: Client | undefined, channel = "secret"): Promise<string[]> {
  const narrow = [
    ["channel", channel],
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

  test("nothing from before somebody came, where an older message was moved there later", async () => {
    const { alice, bob, carol, channels } = world;
    const moved = await alice.say("general", "x", "moved");
    await alice.say("secret", "x", "before carol");
    await world.pass(60);
    await bring(alice, carol.email);
    await alice.say("secret", "x", "with carol");
    await world.pass(60);
    const to = { stream_id: channels.secret, send_notification_to_new_thread: false };
    const { status, body } = await alice.patch(`/messages/${moved}`, to);
    expect({ status, body }).toMatchObject({ status: 200 });
    await world.pass(60);
    await leave(carol);
    await alice.say("secret", "x", "carol has left");
    await bring(alice, carol.email);
    await alice.say("secret", "x", "carol is back");
    const people = await copied();
    const read = ["moved", "with carol", "carol is back"];
    expect(await readBy(carol)).toEqual(read);
    expect(await readBy(people.get(carol.email))).toEqual(read);
    expect(await readBy(people.get(bob.email))).toEqual(await readBy(bob));
  });

  test("nothing from before somebody came, where they had received what was moved there earlier", async () => {
    const path = join(folder, "moved.tar.gz");
    const sent = { sender: 11, recipient: 232, subject: "x", sending_client: 1, type: 1 };
    const message = (id: number, content: string, edits: object[] = []) => ({
      ...sent,
      id,
      content,
      date_sent: 1_600_000_000 + id,
      edit_history: edits.length === 0 ? null : JSON.stringify(edits),
    });
    const move = { user_id: 11, timestamp: 1_600_001_002, prev_stream: 31, stream: 32 };
    const row = (user_profile: number, id: number) => ({
      user_profile,
      message: id,
      flags_mask: 1,
    });
    const came = { modified_user: 12, modified_stream: 32, event_last_message_id: 1_003 };
    writeReferenceExport(path, {
      "realm.json": { ...exportedRealm, zerver_realmauditlog: [{ ...came, event_type: 301 }] },
      "messages-000001.json": {
        zerver_message: [
          message(1_001, "moved", [move]),
          message(1_003, "before ben"),
          message(1_004, "with ben"),
        ],
        zerver_usermessage: [1_001, 1_003, 1_004]
          .flatMap((id) => [row(11, id), row(12, id)])
          .filter(({ user_profile, message: id }) => user_profile === 11 || id !== 1_003),
      },
    });
    const wanted = { from: "zulip", host: "made.example.org", name: undefined } as const;
    await importFile(world.app, path, { ...wanted, isDry: false }, { progress: () => undefined });
    const people = await signInAll(world, "made.example.org");
    expect(await readBy(people.get("ann@example.com"), "cellar")).toHaveLength(3);
    expect(await readBy(people.get("ben@example.com"), "cellar")).toEqual(["with ben"]);
  });
});
