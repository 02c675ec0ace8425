import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  type ApplyOptions,
  applyOrganization,
  diffOrganization,
} from "../../src/moving/organization/apply";
import { parseDeclaration } from "../../src/moving/organization/parse";
import { issueApiKey } from "../../src/sign-in/api-keys";
import type { WireEvent } from "../support/client";
import { verifyInTurn } from "../support/client-state/verify";
import { storedFiles } from "../support/files";
import { hear, listen } from "../support/listening";
import { staticPng } from "../support/pictures";
import { refusalOf } from "../support/refusal";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const files: Record<string, Uint8Array> = {
  "acme.png": staticPng,
  "none.png": Buffer.from("none"),
};

/** The organization's file of a test, with the people of the world. */
function declared(text: string) {
  const { name, host } = world.realm;
  return parseDeclaration({
    name: "org.yaml",
    text: `realm: {name: ${name}, host: ${host}${text}`,
    readFile: (path: string) => files[path] ?? new Uint8Array(),
  });
}

async function apply(text: string, options?: ApplyOptions): Promise<string[]> {
  const { changes } = await applyOrganization(world.app, declared(text), options);
  return changes.flatMap(({ lines }) => lines);
}

describe("An organization that a program declares", () => {
  test("says whose key ended because there were too many with the one for the credentials file", async () => {
    const { alice, bob, clock, operator } = world;
    for (let count = 2; count <= 20; count++) {
      clock.advance(1);
      await issueApiKey(operator, alice.id, `laptop ${count}`);
    }
    const people = `}\nusers: [{email: ${alice.email}, name: Alice}, {email: ${bob.email}, name: Bob}]\n`;
    const { credentials, notices } = await applyOrganization(world.app, declared(people), {
      withCredentials: "all",
    });
    expect(credentials.map(({ email }) => email)).toEqual([alice.email, bob.email]);
    const toldOf = `${alice.email}: An account has at most 20 API keys. The key that was unused for the longest time has ended: "test" of `;
    expect(notices).toEqual([expect.stringContaining(toldOf)]);
    expect((await alice.get("/users/me")).status).toBe(401);
    const again = await applyOrganization(world.app, declared(people), { withCredentials: "all" });
    expect(again.notices).toEqual([
      "The API keys of an earlier credentials file have ended (2). Programs need those of the new file.",
    ]);
  });

  test("tells those concerned of each change by the events of its verb, and nobody of a second time", async () => {
    const { alice, greta, zoe } = world;
    const queues = await listen(
      { alice, greta, zoe },
      { event_types: ["stream", "user_group", "realm", "realm_emoji", "message"] },
    );
    const text = `, icon: acme.png, settings: {can_create_groups: [alice@example.com]}}
groups: [{name: crew, permissions: {can_manage_group: [alice@example.com]}}]
channels: [{name: general, retention: 7, permissions: {can_send_message_group: crew}}]
emoji: [{name: parrot, file: acme.png}]
`;
    const changes = [
      "~ organization: icon acme.png",
      "+ emoji parrot: acme.png",
      "+ group crew",
      "~ group crew: can_manage_group alice@example.com",
      "~ channel general: retention 7 days",
      "~ channel general: can_send_message_group crew",
      "~ organization: can_create_groups alice@example.com",
    ];
    expect(
      (await diffOrganization(world.app, declared(text))).changes.flatMap(({ lines }) => lines),
    ).toEqual(changes);
    expect(await apply(text)).toEqual(changes);
    const told = ["realm update_dict", "realm_emoji update", "user_group add", "user_group update"];
    const toAll = [...told, "realm update_dict"];
    const inShort = ({ type, op, property }: WireEvent) =>
      type === "stream" ? `stream ${property}` : `${type} ${op ?? ""}`.trim();
    expect(await hear(queues, inShort)).toEqual({
      alice: [
        ...told,
        "stream message_retention_days",
        "stream can_send_message_group",
        "message",
        "message",
        "realm update_dict",
      ],
      greta: toAll,
      zoe: [],
    });
    expect(await apply(text)).toEqual([]);
    expect(await hear(queues, inShort)).toEqual({ alice: [], greta: [], zoe: [] });
  });

  test("changes what everybody knows by its events alone", async () => {
    const verifyNext = verifyInTurn(world);
    const first = `, settings: {enable_spectator_access: true}}
groups: [{name: crew, members: [alice@example.com], permissions: {can_mention_group: "role:moderators"}}]
folders: [{name: Work}]
channels:
  - {name: general, folder: Work, topics_policy: disable_empty_topic, permissions: {can_send_message_group: crew}}
  - {name: plans, private: true, shared_history: true, permissions: {can_subscribe_group: crew}}
  - {name: talk, private: true, subscribers: [alice@example.com, greta@example.com]}
default_groups: [{name: Everything, channels: [general]}]
emoji: [{name: parrot, file: acme.png}]
`;
    await verifyNext(() => apply(first));
    const second = `}
groups: [{name: crew, permissions: {can_mention_group: "role:everyone"}}]
channels:
  - {name: general, folder: null, private: true, permissions: {can_send_message_group: "role:everyone"}}
  - {name: talk, private: false, retention: 9}
default_groups: [{name: everything, description: all, channels: [talk]}]
`;
    await verifyNext(() => apply(second));
    expect(await apply(second)).toEqual([]);
  });

  test("is refused as a whole with the line of what a verb refuses, and no picture stays behind", async () => {
    const { alice } = world;
    await alice.say("general", "tea", "hello");
    const queue = await alice.register();
    const before = storedFiles(world);
    const text = `, icon: acme.png}
groups: [{name: crew}]
channels:
  - {name: general, topics_policy: empty_topic_only}
`;
    expect(await refusalOf(apply(text))).toMatchObject({
      code: "BAD_REQUEST",
      message:
        "org.yaml:4:5: The channel 'general' has topics: move or delete their messages first.",
    });
    expect(await queue.events()).toEqual([]);
    expect(storedFiles(world)).toEqual(before);
    expect(await refusalOf(apply(", logo: none.png}\n"))).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("org.yaml:1:45: none.png: "),
    });
  });

  test("of a new host leaves no row behind when it is refused", async () => {
    const { engine } = world.app;
    const countRows = async () => {
      const tables = Object.entries(engine.schema).filter(([, table]) => "realmId" in table);
      const counts = tables.map(async ([name, table]) => [
        name,
        await engine.reader.db.$count(table),
      ]);
      return Object.fromEntries(await Promise.all(counts));
    };
    const before = await countRows();
    const text = `realm: {name: New, host: new.example.com}
users: [{email: ada@new.example.com, name: Ada, role: owner}]
groups: [{name: crew}, {name: "\u0441rew"}]
`;
    const given = parseDeclaration({ name: "org.yaml", text });
    expect(await refusalOf(applyOrganization(world.app, given))).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("org.yaml:3:24: "),
    });
    expect(await countRows()).toEqual(before);
  });

  test("offers newcomers no private channel, declared or stored, and no missing one", async () => {
    const text = `}
channels: [{name: plans, private: true}]
default_groups: [{name: Work, channels: [general, secret, plans, attic]}]
`;
    const diff = diffOrganization(world.app, declared(text));
    expect((await refusalOf(diff)).message.split("\n")).toEqual([
      "org.yaml:3:51: the channel 'secret' is private: newcomers cannot choose it.",
      "org.yaml:3:59: the channel 'plans' is private: newcomers cannot choose it.",
      "org.yaml:3:66: there is no channel 'attic', here or in the organization.",
    ]);
  });

  test("has a profile field whose name in the file has an invisible character", async () => {
    const fields = String.raw`}
profile_fields: [{name: "Te\u00adam", type: short_text, hint: "of Acme"}]
`;
    expect(await apply(fields)).toEqual(["+ profile field Team (short_text)"]);
    expect(await apply(fields)).toEqual([]);
  });

  test("has pictures only where it is told how to read files", async () => {
    const source = { name: "here", text: "realm: {name: A, host: localhost, icon: acme.png}\n" };
    expect(await refusalOf((async () => parseDeclaration(source))())).toMatchObject({
      code: "BAD_REQUEST",
      message:
        "here:1:35: icon names a file, which only an organization that is in a file itself can do.",
    });
  });

  test("leaves a permission alone that only somebody deactivated holds beside those declared", async () => {
    const text = `}
channels: [{name: general, permissions: {can_administer_channel_group: [alice@example.com, bob@example.com]}}]
`;
    await apply(text);
    expect((await world.olga.delete(`/users/${world.bob.id}`)).status).toBe(200);
    const without = text.replace(", bob@example.com", "");
    expect(await apply(without)).toEqual([]);
  });
});
