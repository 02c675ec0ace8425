import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as commands from "./chatd";
import { clientOf, freshFolder, places, readCredentials, sqlite } from "./chatd";

/** A server that may have channels that are open to the web. */
const open = { env: { CHATD_WEB_PUBLIC_STREAMS_ENABLED: "true" } };
const chatd = (args: string[]) => commands.chatd(args, open);
const mustChatd = (args: string[]) => commands.mustChatd(args, open);
const serve = (args: string[]) => commands.serve(args, open);

/** Channels and their permissions, declared in an organization's file. */
function organization(text: string): string {
  const path = join(freshFolder(), "org.yaml");
  writeFileSync(path, text);
  return path;
}

const people = `users:
  - {email: olga@example.com, name: Olga, role: owner}
  - {email: alice@example.com, name: Alice}
  - {email: bob@example.com, name: Bob}
`;

const whole = `realm:
  name: Acme
  host: localhost
  settings:
    enable_spectator_access: true
    can_create_groups: [leads, Bob@example.com]
    can_invite_users_group: leads
    moderation_request_channel_id: Reports
${people}groups:
  - name: devs
    members: [alice@example.com]
    permissions: {can_mention_group: "role:moderators", can_manage_group: leads, can_join_group: "role:members"}
  - {name: leads, members: [bob@example.com]}
channels:
  - name: news
    web_public: true
    topics_policy: disable_empty_topic
    retention: 30
    permissions:
      can_send_message_group: [leads, Alice@example.com]
      can_administer_channel_group: leads
      can_add_subscribers_group: "role:nobody"
  - {name: reports, private: true, shared_history: true, retention: unlimited, subscribers: [olga@example.com]}
  - {name: chat, subscribers: all}
`;

const changed = `realm:
  name: Acme
  host: localhost
  settings: {can_create_groups: [leads], moderation_request_channel_id: -1}
groups:
  - {name: devs, permissions: {can_manage_group: [], can_mention_group: "role:moderators"}}
channels:
  - name: news
    web_public: false
    topics_policy: inherit
    retention: realm_default
    permissions: {can_send_message_group: "role:everyone", can_administer_channel_group: [leads]}
  - {name: reports, shared_history: false}
  - {name: chat, private: true}
`;

describe.each(places)("subscribers: all, on $engine", ({ fresh }) => {
  test("are the people and the bots of the file, so that its bot hears them; others' bots are not", async () => {
    const place = await fresh();
    const path = join(freshFolder(), "org.yaml");
    const file = (bots: string) => `realm: {name: Acme, host: localhost}
users:
  - {email: olga@example.com, name: Olga, role: owner}
  - {email: greta@example.com, name: Greta, role: guest}
bots: [${bots}]
channels: [{name: chat, subscribers: all}]
`;
    const apply = (...flags: string[]) => mustChatd(["admin", "apply", path, ...flags, ...place]);
    writeFileSync(path, file(""));
    await apply();
    const ours = ["--name", "Other", "--owner", "olga@example.com"];
    await mustChatd(["admin", "bot", "add", "other", ...ours, ...place]);
    writeFileSync(
      path,
      file("{email: Robot-bot@example.com, name: Robot, owner: olga@example.com}"),
    );
    const credentials = join(freshFolder(), "credentials.json");
    expect((await apply("--credentials", credentials)).stdout).toContain(
      "+ subscription chat: Robot-bot@example.com\n",
    );
    expect((await apply()).stdout).toBe("Nothing to change.\n");
    const server = await serve(place);
    const users = readCredentials(credentials).users.map((one) => ({
      ...one,
      email: one.email.toLowerCase(),
    }));
    const [olga, robot] = ["olga", "robot-bot"].map((name) =>
      clientOf(server.site, { site: server.site, realm: "Acme", users }, name),
    );
    const queue = await robot?.register({ event_types: ["message"] });
    const arrival = queue?.next();
    await olga?.post("/messages", { type: "channel", to: "chat", topic: "t", content: "hello" });
    expect(await arrival).toMatchObject([{ message: { content: "<p>hello</p>" } }]);
    await server.kill();
  });
});

describe.each(places)(
  "channels, groups and permissions that a file declares on $engine",
  ({ fresh }) => {
    test("are made so, shown to clients, and made once", async () => {
      const place = await fresh();
      const file = organization(whole);
      const credentials = join(freshFolder(), "credentials.json");
      const planned = (
        await mustChatd(["admin", "apply", file, "--diff", "--json", ...place])
      ).json();
      const applied = await mustChatd([
        "admin",
        "apply",
        file,
        "--json",
        "--credentials",
        credentials,
        ...place,
      ]);
      expect(applied.json().changes.toSorted()).toEqual(
        [
          ...planned.changes,
          "+ subscription chat: olga@example.com, alice@example.com, bob@example.com",
        ]
          .filter((one, index, all) => all.indexOf(one) === index)
          .toSorted(),
      );
      expect(applied.json().changes).toEqual(
        expect.arrayContaining([
          "~ organization: enable_spectator_access true",
          "~ group devs: can_mention_group role:moderators",
          "~ group devs: can_manage_group leads",
          "+ channel news (web-public, disable_empty_topic, retention 30 days, can_send_message_group alice@example.com, leads, can_administer_channel_group leads, can_add_subscribers_group role:nobody)",
          "+ channel reports (private, shared history, retention unlimited)",
          "~ organization: can_create_groups bob@example.com, leads",
          "~ organization: can_invite_users_group leads",
          "~ organization: moderation_request_channel_id Reports",
        ]),
      );
      expect((await mustChatd(["admin", "apply", file, ...place])).stdout).toBe(
        "Nothing to change.\n",
      );
      const server = await serve(place);
      const olga = clientOf(server.site, readCredentials(credentials), "olga");
      const { state } = await olga.register({
        fetch_event_types: ["realm", "realm_user_groups", "realm_user", "stream"],
      });
      const groupId = (name: string) =>
        state.realm_user_groups.find((one: { name: string }) => one.name === name).id;
      const userId = (email: string) =>
        state.realm_users.find((one: { delivery_email: string }) => one.delivery_email === email)
          .user_id;
      expect(state).toMatchObject({
        realm_can_create_groups: {
          direct_members: [userId("bob@example.com")],
          direct_subgroups: [groupId("leads")],
        },
        realm_can_invite_users_group: groupId("leads"),
      });
      const devs = state.realm_user_groups.find((one: { name: string }) => one.name === "devs");
      expect(devs).toMatchObject({
        can_mention_group: groupId("role:moderators"),
        can_manage_group: groupId("leads"),
        can_join_group: groupId("role:members"),
      });
      const { streams } = (await olga.get("/streams")).body;
      expect(streams).toMatchObject([
        {
          name: "news",
          is_web_public: true,
          topics_policy: "disable_empty_topic",
          message_retention_days: 30,
          can_send_message_group: {
            direct_members: [userId("alice@example.com")],
            direct_subgroups: [groupId("leads")],
          },
          can_administer_channel_group: groupId("leads"),
        },
        {
          name: "reports",
          invite_only: true,
          history_public_to_subscribers: true,
          message_retention_days: -1,
        },
        { name: "chat", invite_only: false },
      ]);
      expect(state.realm_moderation_request_channel_id).toBe(streams[1].stream_id);
      const queue = await olga.register({
        event_types: ["stream", "user_group", "realm", "message", "subscription"],
      });
      await mustChatd(["admin", "apply", file, ...place]);
      const heard = await olga.get("/events", {
        queue_id: queue.id,
        last_event_id: -1,
        dont_block: true,
      });
      expect(heard.body.events).toEqual([]);
      expect(await server.stop()).toBe(0);
    });

    test("are changed where they are declared otherwise; what is not named stays", async () => {
      const place = await fresh();
      await mustChatd(["admin", "apply", organization(whole), ...place]);
      const apply = (...options: string[]) =>
        mustChatd(["admin", "apply", organization(changed), "--json", ...place, ...options]);
      const { changes } = (await apply("--diff")).json();
      expect(changes).toEqual([
        "~ organization: moderation_request_channel_id -1",
        "~ group devs: can_manage_group role:nobody",
        "~ channel news: web_public false",
        "~ channel news: topics_policy inherit",
        "~ channel news: retention realm_default",
        "~ channel news: can_send_message_group role:everyone",
        "~ channel reports: protected history",
        "~ channel chat: private",
        "~ channel chat: protected history",
        "~ organization: can_create_groups leads",
      ]);
      expect((await apply()).json().changes).toEqual(changes);
      expect((await apply("--diff")).json().changes).toEqual([]);
      const { channels } = (
        await mustChatd(["admin", "channel", "list", "--json", ...place])
      ).json();
      expect(channels).toMatchObject([
        { name: "news", is_web_public: false, invite_only: false, message_retention_days: null },
        {
          name: "reports",
          invite_only: true,
          history_public_to_subscribers: false,
          message_retention_days: -1,
        },
        { name: "chat", invite_only: true, history_public_to_subscribers: false },
      ]);
    });

    test("lead to one state, whether a private channel is made or was public before", async () => {
      const realm = "realm: {name: Acme, host: localhost}\n";
      const declared = organization(
        `${realm}${people}channels:\n  - {name: a, private: true}\n  - {name: b, private: true, shared_history: true}\n`,
      );
      const before = organization(`${realm}${people}channels:\n  - {name: a}\n  - {name: b}\n`);
      const accessAfter = async (...files: string[]) => {
        const place = await fresh();
        for (const file of files) await mustChatd(["admin", "apply", file, ...place]);
        expect(
          (await mustChatd(["admin", "apply", declared, "--diff", "--json", ...place])).json()
            .changes,
        ).toEqual([]);
        const { channels } = (
          await mustChatd(["admin", "channel", "list", "--json", ...place])
        ).json();
        return channels.map((one: Record<string, unknown>) => [
          one["invite_only"],
          one["history_public_to_subscribers"],
        ]);
      };
      const wanted = [
        [true, false],
        [true, true],
      ];
      expect(await accessAfter(declared)).toEqual(wanted);
      expect(await accessAfter(before, declared)).toEqual(wanted);
    });
  },
);

test("a permission that cannot be is named by its line, before anything is opened", async () => {
  const file = organization(`realm:
  name: Acme
  host: localhost
  settings:
    can_create_groups: [7]
    can_access_all_users_group: [devs]
${people}groups:
  - name: devs
    permissions: {can_mention_group: "role:owners", can_fly_group: devs}
  - {name: leads, permissions: {can_manage_group: "role:everyone"}}
channels:
  - {name: a, topics_policy: none}
  - {name: b, retention: -4}
  - {name: c, retention: forever}
  - {name: d, private: true, web_public: true}
  - {name: e, web_public: true, shared_history: false}
  - {name: f, permissions: [devs]}
  - name: g
    permissions:
      can_send_message_group: {direct_members: [1]}
      can_administer_channel_group: "role:internet"
`);
  const data = join(freshFolder(), "data");
  const { code, stderr } = await chatd(["admin", "apply", file, "--data", data, "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stderr).msg.split("\n")).toEqual([
    "org.yaml:5:25: can_create_groups must be a list of texts.",
    expect.stringContaining("org.yaml:6:5: can_access_all_users_group must be one of"),
    expect.stringContaining("org.yaml:13:19: can_mention_group cannot be role:owners."),
    expect.stringContaining(
      "org.yaml:13:53: unknown key 'can_fly_group' in the permissions of a group.",
    ),
    expect.stringContaining("org.yaml:14:33: can_manage_group cannot be role:everyone."),
    expect.stringContaining("org.yaml:16:15: there is no policy 'none' of topics."),
    "org.yaml:17:15: retention must be a number of days, unlimited or realm_default.",
    "org.yaml:18:15: retention must be a number of days, unlimited or realm_default.",
    expect.stringContaining("org.yaml:19:30: A private channel is not open to the web"),
    "org.yaml:20:33: the history of a public channel is open to everybody.",
    expect.stringContaining(
      "org.yaml:21:15: the permissions of a channel must be a mapping with the keys can_add_subscribers_group",
    ),
    "org.yaml:24:7: can_send_message_group must be a list.",
    expect.stringContaining("org.yaml:25:7: can_administer_channel_group cannot be role:internet."),
  ]);
});

test("declared channels and permissions are refused with their line where they do not fit what is stored", async () => {
  const place = await sqlite.fresh();
  await mustChatd(["admin", "apply", organization(whole), ...place]);
  const refused = async (text: string) => {
    const { code, stderr } = await chatd(["admin", "apply", organization(text), ...place]);
    expect(code).toBe(1);
    return stderr.trim().split("\n");
  };
  const realm = "realm: {name: Acme, host: localhost}\n";
  const settings = `realm:
  name: Acme
  host: localhost
  settings:
    can_create_groups: [dreamers, nobody@example.com]
    new_stream_announcements_stream_id: attic
`;
  expect(await refused(settings)).toEqual([
    "chatd: org.yaml:5:25: there is no group 'dreamers', here or in the organization.",
    "chatd: org.yaml:5:35: nobody has the e-mail address 'nobody@example.com', here or in the organization.",
    "chatd: org.yaml:6:5: there is no channel 'attic', here or in the organization.",
  ]);
  const channels = `${realm}channels:
  - {name: news, private: true}
  - {name: reports, web_public: true}
  - name: reports2
    private: true
    permissions:
      can_create_topic_group: leads
  - name: chat
    shared_history: false
    permissions:
      can_send_message_group:
        - leads
        - dreamers
`;
  expect(await refused(channels)).toEqual([
    "chatd: org.yaml:3:18: a private channel is not open to the web: declare one of both.",
    "chatd: org.yaml:4:21: a private channel is not open to the web: declare one of both.",
    "chatd: org.yaml:7:5: can_create_topic_group must be role:everyone in a private channel with protected history.",
    "chatd: org.yaml:10:5: the history of a public channel is open to everybody.",
    "chatd: org.yaml:14:11: there is no group 'dreamers', here or in the organization.",
  ]);
  expect(
    await refused(
      `${realm}channels:\n  - {name: chat, description: C}\n  - {name: reports, private: false}\n`,
    ),
  ).toEqual([
    expect.stringContaining(
      "org.yaml:4:5: The channel that reports of messages go to must be private.",
    ),
  ]);
});
