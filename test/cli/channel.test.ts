import { describe, expect, test } from "bun:test";
import { addressOf, mailDomain } from "../support/servers/mail";
import { chatd, clientOf, mustChatd, places, serve, sqlite } from "./chatd";

interface Shown {
  name: string;
  stream_id: number;
  is_archived: boolean;
}

describe.each(places)("chatd admin channel on $engine", ({ provisioned }) => {
  async function provision() {
    const { place } = await provisioned();
    const channel = async (...args: string[]) =>
      (await mustChatd(["admin", "channel", ...args, "--json", ...place])).json();
    return { place, channel };
  }

  const namesOf = (channels: Shown[]) => channels.map(({ name }) => name);

  test("makes, changes, archives and lists channels", async () => {
    const { place, channel } = await provision();
    expect(namesOf((await channel("list")).channels)).toEqual(["general", "core", "random"]);

    const { channel: made } = await channel(
      "create",
      "Night shift",
      "--description",
      "Who is *awake*",
      "--private",
      "--shared-history",
      "--subscriber",
      "alice@example.com",
      "BOB@example.com",
      "--retention",
      "30",
      "--permission",
      "can_send_message_group=role:moderators,alice@example.com",
    );
    expect(made).toMatchObject({
      name: "Night shift",
      description: "Who is *awake*",
      invite_only: true,
      creator_id: null,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      subscriber_count: 2,
      can_send_message_group: {
        direct_members: [expect.any(Number)],
        direct_subgroups: [expect.any(Number)],
      },
    });

    const { channel: updated } = await channel(
      "update",
      "night SHIFT",
      "--name",
      "Nights",
      "--no-private",
      "--retention",
      "unlimited",
      "--default",
      "--topics-policy",
      "disable_empty_topic",
    );
    expect(updated).toMatchObject({
      stream_id: made.stream_id,
      name: "Nights",
      invite_only: false,
      message_retention_days: -1,
      topics_policy: "disable_empty_topic",
    });

    expect(await channel("subscribe", "Nights", "carol@example.com", "alice@example.com")).toEqual({
      result: "success",
      channel: "Nights",
      emails: ["carol@example.com", "alice@example.com"],
      changed: 1,
    });
    expect(
      (await channel("unsubscribe", "Nights", "alice@example.com", "bob@example.com")).changed,
    ).toBe(2);

    expect((await channel("archive", "Nights")).channel).toMatchObject({
      is_archived: true,
      subscriber_count: 1,
    });
    expect(namesOf((await channel("list")).channels)).not.toContain("Nights");
    const listing = await mustChatd(["admin", "channel", "list", "--archived", ...place]);
    expect(listing.stdout).toMatch(/ID +NAME +ACCESS +SUBSCRIBERS +STATE +DESCRIPTION/);
    expect(listing.stdout).toMatch(/Nights +public +1 +archived +Who is \*awake\*/);
    expect(listing.stdout).toContain("private, protected history");
    expect((await channel("unarchive", "Nights")).channel.is_archived).toBe(false);
  });

  test("closes a public channel with its history, unless it is told to share that", async () => {
    const { channel } = await provision();
    const shared = async (...args: string[]) => {
      const { channel: updated } = await channel("update", "random", ...args);
      return [updated.invite_only, updated.history_public_to_subscribers];
    };
    expect(await shared("--private")).toEqual([true, false]);
    expect(await shared("--no-private")).toEqual([false, true]);
    expect(await shared("--private", "--shared-history")).toEqual([true, true]);
    expect(await shared("--private", "--description", "as before")).toEqual([true, true]);
  });

  test("opens a channel to the web, where server and organization want that", async () => {
    const { place } = await provision();
    const refused = await chatd(["admin", "channel", "create", "lobby", "--web-public", ...place]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("The operator can allow it: web_public_streams_enabled = true."),
    ]);
    await mustChatd(["admin", "realm", "update", "enable_spectator_access=true", ...place]);
    const env = { CHATD_WEB_PUBLIC_STREAMS_ENABLED: "true" };
    await mustChatd(["admin", "channel", "create", "lobby", "--web-public", ...place], { env });
    const listed = async () => (await mustChatd(["admin", "channel", "list", ...place])).stdout;
    expect(await listed()).toMatch(/lobby +web-public/);
    await mustChatd(["admin", "channel", "update", "lobby", "--no-web-public", ...place]);
    expect(await listed()).toMatch(/lobby +public/);
  });

  test("tells the address for mail to a channel, also the one that follows it", async () => {
    const { place, credentials } = await provisioned();
    const env = { CHATD_CHANNEL_EMAIL_DOMAIN: mailDomain };
    const server = await serve(place, { env });
    const alice = clientOf(server.site, credentials, "alice");
    const channel = async (...args: string[]) =>
      (await mustChatd(["admin", "channel", ...args, ...place], { env })).stdout;
    const { streams } = (await alice.get("/streams")).body;
    const { stream_id: id } = streams.find(({ name }: Shown) => name === "core");
    const { body: robot } = await alice.post("/bots", { full_name: "Desk", short_name: "desk" });

    const first = await addressOf(alice, id);
    expect(await channel("address", "CORE")).toBe(`${first}\n`);
    expect(JSON.parse(await channel("address", "core", "--json"))).toEqual({
      result: "success",
      channel: "core",
      email: first,
    });
    const ofRobot = await channel("address", "core", "--sender", "desk-bot@localhost");
    expect(ofRobot).toBe(`${await addressOf(alice, id, robot.user_id)}\n`);

    const renewed = await channel("renew-addresses", "core");
    const second = await addressOf(alice, id);
    expect(renewed).toBe(
      `Replaced the e-mail addresses of the channel core. Mail to it now goes to: ${second}\n`,
    );
    expect([first, ofRobot.trim()]).not.toContain(second);
    const third = JSON.parse(await channel("renew-addresses", "core", "--json")).email;
    expect(third).toBe(await addressOf(alice, id));
    await server.kill();
  });

  test("reaches connected clients: the channel's people hear of what is done to it", async () => {
    const { place, credentials } = await provisioned();
    const server = await serve(place);
    const [alice, carol] = [
      clientOf(server.site, credentials, "alice"),
      clientOf(server.site, credentials, "carol"),
    ];
    const queues = await Promise.all(
      [alice, carol].map((one) =>
        one.register({ event_types: ["stream", "message", "subscription"] }),
      ),
    );
    await mustChatd([
      "admin",
      "channel",
      "update",
      "core",
      "--description",
      "Only for us",
      ...place,
    ]);
    await mustChatd(["admin", "channel", "subscribe", "core", "carol@example.com", ...place]);
    const [toAlice, toCarol] = await Promise.all(queues.map((queue) => queue.events()));
    expect(toAlice?.map(({ type, op }) => [type, op])).toEqual([
      ["stream", "update"],
      ["message", undefined],
      ["subscription", "peer_add"],
    ]);
    expect(toAlice?.[1].message.content).toContain(
      "The operator of this server changed the description",
    );
    expect(toCarol?.map(({ type, op }) => [type, op])).toEqual([
      ["stream", "create"],
      ["subscription", "add"],
      ["message", undefined],
    ]);
    await server.kill();
  });
});

test("chatd admin channel refuses what cannot be, and leaves nothing behind", async () => {
  const { place } = await sqlite.provisioned();
  const before = await mustChatd(["admin", "channel", "list", "--archived", ...place]);
  const refused: [string[], string, number][] = [
    [["channel", "create", "GENERAL"], "There is a channel general already", 1],
    [["channel", "create", "x".repeat(61)], "too long", 2],
    [
      ["channel", "create", "x", "--subscriber", "nobody@example.com"],
      "no active user 'nobody@example.com'",
      1,
    ],
    [["channel", "create", "x", "--private", "--default"], "cannot be a default channel", 1],
    [["channel", "create", "x", "--retention", "soon"], "must be a number of days", 2],
    [["channel", "create", "x", "--retention", "9".repeat(20)], "must be a number of days", 2],
    [
      ["channel", "create", "x", "--permission", "can_fly_group=role:members"],
      "not a permission of channels",
      2,
    ],
    [
      ["channel", "create", "x", "--permission", "can_send_message_group=role:wizards"],
      "no user group",
      1,
    ],
    [
      ["channel", "create", "x", "--permission", "can_send_message_group="],
      "say who is to hold it",
      2,
    ],
    [["channel", "create", "x", "--topics-policy", "sometimes"], "--topics-policy", 2],
    [["channel", "update", "nowhere", "--name", "y"], "no channel 'nowhere'", 1],
    [["channel", "update", "core", "--name", "random"], "already exists", 1],
    [["channel", "update", "core", "--default"], "private", 1],
    [["channel", "update", "core"], "Nothing to change", 2],
    [["channel", "unarchive", "core"], "is not archived", 1],
    [["channel", "subscribe", "nowhere", "alice@example.com"], "no channel 'nowhere'", 1],
    [["channel", "subscribe", "core", "nobody@example.com"], "Nobody in Acme", 1],
    [["channel", "unsubscribe", "core"], "missing required argument", 2],
    [
      ["topic", "delete", "general", "no such topic", "--yes"],
      "no topic 'no such topic' in the channel 'general'",
      1,
    ],
  ];
  const outcomes = await Promise.all(refused.map(([args]) => chatd(["admin", ...args, ...place])));
  expect(outcomes.map(({ code, stdout }) => [code, stdout])).toEqual(
    refused.map(([, , code]) => [code, ""]),
  );
  for (const [index, [, why]] of refused.entries()) expect(outcomes[index]?.stderr).toContain(why);
  expect((await mustChatd(["admin", "channel", "list", "--archived", ...place])).stdout).toBe(
    before.stdout,
  );
});

test("chatd admin channel address refuses what takes no mail", async () => {
  const { place } = await sqlite.provisioned();
  const env = { CHATD_CHANNEL_EMAIL_DOMAIN: mailDomain };
  await mustChatd(["admin", "channel", "archive", "random", ...place]);
  const refusal = async (args: string[], given: Record<string, string> = env) => {
    const call = ["admin", "channel", "address", ...args, ...place];
    const { code, stdout, stderr } = await chatd(call, { env: given });
    expect([code, stdout]).toEqual([1, ""]);
    return stderr;
  };
  expect(await refusal(["general"], {})).toContain("channel_email_domain");
  expect(await refusal(["nowhere"])).toContain("no channel 'nowhere'");
  expect(await refusal(["random"])).toContain("The channel 'random' is archived");
  expect(await refusal(["general", "--sender", "nobody@example.com"])).toContain("Nobody in Acme");
  expect(await refusal(["general", "--sender", "alice@example.com"])).toContain(
    "The sender must be an active bot",
  );
});

test("chatd admin channel says in a line what it did", async () => {
  const { place } = await sqlite.provisioned();
  const line = async (...args: string[]) =>
    (await mustChatd(["admin", "channel", ...args, ...place])).stdout;
  expect(await line("create", "nights")).toMatch(/^Created the channel nights \(ID \d+\)\.\n$/);
  expect(await line("update", "nights", "--description", "quiet")).toBe(
    "Changed the channel nights.\n",
  );
  expect(await line("subscribe", "nights", "alice@example.com")).toBe(
    "1 person or bot more in the channel nights.\n",
  );
  expect(await line("unsubscribe", "nights", "alice@example.com", "bob@example.com")).toBe(
    "1 person or bot fewer in the channel nights.\n",
  );
  expect(await line("renew-addresses", "nights")).toBe(
    "Replaced the e-mail addresses of the channel nights.\n",
  );
  expect(await line("archive", "nights")).toBe("Archived the channel nights.\n");
  expect(await line("unarchive", "nights")).toBe("Unarchived the channel nights.\n");
});
