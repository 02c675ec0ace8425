import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { findChannel } from "../../src/channels/queries";
import type { Context } from "../../src/core/context";
import { write } from "../../src/core/write";
import { createUserIn } from "../../src/management/accounts/create";
import { createChannel, prepareChannel } from "../../src/management/channels/create";
import {
  type ChannelChange,
  prepareChange,
  updateChannelIn,
} from "../../src/management/channels/update";
import { findUser } from "../../src/people/users/queries";
import { outcomeOf } from "../support/outcome";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const channelKeys = [
  "stream_id",
  "name",
  "is_archived",
  "description",
  "date_created",
  "creator_id",
  "invite_only",
  "rendered_description",
  "is_web_public",
  "stream_post_policy",
  "message_retention_days",
  "history_public_to_subscribers",
  "topics_policy",
  "first_message_id",
  "folder_id",
  "is_recently_active",
  "is_announcement_only",
  "can_add_subscribers_group",
  "can_remove_subscribers_group",
  "can_administer_channel_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
  "can_move_messages_out_of_channel_group",
  "can_move_messages_within_channel_group",
  "can_send_message_group",
  "can_subscribe_group",
  "can_resolve_topics_group",
  "subscriber_count",
  "stream_weekly_traffic",
];

const make = (ctx: Context, channel: Parameters<typeof prepareChannel>[0]) => {
  const prepared = prepareChannel(channel);
  return write(ctx, (tx) => createChannel(tx, ctx, prepared));
};

/** Changes a channel as the operator, or as somebody else. */
async function change(id: number, to: ChannelChange, ctx: Context = world.operator) {
  const channel = await findChannel(world.app.engine.reader, world.realm.id, id);
  if (!channel) throw new Error(`there is no channel ${id}`);
  const prepared = prepareChange(to);
  return write(ctx, (tx) => updateChannelIn(tx, ctx, channel, prepared));
}

/** The context of a request by this person. */
async function contextOf(person: Person): Promise<Context> {
  const user = await findUser(world.app.engine.reader, world.realm.id, person.id);
  if (!user) throw new Error(`there is no user ${person.id}`);
  return { ...world.operator, actor: { kind: "user", user, apiKeyId: 0 } };
}

async function namesFor(person: Person, parameters = {}): Promise<string[]> {
  const { body } = await person.get("/streams", parameters);
  return body.streams.map(({ name }: { name: string }) => name);
}

describe("seeing channels", () => {
  test("Members see public channels and their own private ones, administrators all, guests their own", async () => {
    const { alice, bob, otto, adam, greta, zoe } = world;
    expect(await namesFor(alice)).toEqual(["general", "secret", "plans"]);
    expect(await namesFor(bob)).toEqual(["general", "secret"]);
    expect(await namesFor(otto)).toEqual(["general"]);
    expect(await namesFor(greta)).toEqual([]);
    expect(await namesFor(adam)).toEqual(["general"]);
    expect(await namesFor(adam, { include_all: true })).toEqual(["general", "secret", "plans"]);
    expect(await namesFor(adam, { include_can_access_content: true })).toEqual(["general"]);
    expect(await namesFor(zoe)).toEqual([]);
  });

  test("The list is narrowed by its parameters", async () => {
    const { alice, robot } = world;
    expect(await namesFor(alice, { include_public: false })).toEqual([
      "general",
      "secret",
      "plans",
    ]);
    expect(await namesFor(alice, { include_subscribed: false })).toEqual(["general"]);
    expect(await namesFor(alice, { include_public: false, include_subscribed: false })).toEqual([]);
    expect(await namesFor(robot, { include_public: false })).toEqual([]);
    const owners = await namesFor(robot, { include_public: false, include_owner_subscribed: true });
    expect(owners).toEqual(["general", "secret", "plans"]);
    await change(world.channels.general, { isDefault: true });
    const { body } = await alice.get("/streams", { include_default: true });
    expect(body.streams.map(({ is_default }: { is_default: boolean }) => is_default)).toEqual([
      true,
      false,
      false,
    ]);
    expect((await alice.get("/streams")).body.streams[0]).not.toHaveProperty("is_default");
  });

  test("A channel has exactly the keys of the protocol", async () => {
    const { alice, channels } = world;
    const { body } = await alice.get(`/streams/${channels.general}`);
    expect(Object.keys(body.stream).sort()).toEqual(
      [...channelKeys, "can_create_topic_group"].sort(),
    );
    expect(body.stream).toMatchObject({
      name: "general",
      description: "",
      rendered_description: "",
      invite_only: false,
      subscriber_count: 6,
      stream_post_policy: 1,
      first_message_id: null,
      creator_id: null,
      topics_policy: "inherit",
    });
    const [listed] = (await alice.get("/streams")).body.streams;
    expect(Object.keys(listed).sort()).toEqual([...channelKeys].sort());
    const queue = await alice.register();
    expect(queue.state.streams).toHaveLength(3);
    expect(queue.state.streams[0]).toEqual(body.stream);
    expect((await world.otto.register()).state.never_subscribed).toEqual([body.stream]);
  });

  test("A16, A17: a private channel answers who is not in it like one that does not exist", async () => {
    const { otto, greta, zoe, olga, channels } = world;
    const refusal = async (person: Person, id: number) => {
      const { status, body } = await person.get(`/streams/${id}`);
      return { status, ...body, msg: body.msg.replace(`${id}`, "…") };
    };
    const missing = await refusal(otto, 99_999_999);
    expect(missing).toMatchObject({ status: 400, code: "BAD_REQUEST" });
    expect(await refusal(otto, channels.secret)).toEqual(missing);
    expect(await refusal(greta, channels.general)).toEqual(missing);
    expect(await refusal(zoe, channels.general)).toEqual(missing);
    const [hidden, unknown] = await Promise.all(
      ["secret", "absent"].map((stream) => otto.get("/get_stream_id", { stream })),
    );
    expect(hidden?.body.msg.replace("secret", "…")).toBe(unknown?.body.msg.replace("absent", "…"));
    expect(hidden?.body.code).toBe("BAD_REQUEST");
    expect((await otto.get("/get_stream_id", { stream: "GENERAL" })).body.stream_id).toBe(
      channels.general,
    );
    expect((await olga.get(`/streams/${channels.secret}`)).body.stream.name).toBe("secret");
    expect((await world.anonymous.get(`/streams/${channels.general}`)).status).toBe(401);
  });
});

describe("making channels", () => {
  test("A new public channel is told to all but guests, a private one to the administrators", async () => {
    const { alice, adam, greta, operator } = world;
    const queues = await Promise.all(
      [alice, adam, greta].map((one) => one.register({ event_types: ["stream"] })),
    );
    await make(operator, { name: " Crew ", description: "about\r\n**us**" });
    await make(operator, { name: "inner", inviteOnly: true });
    const heard = await Promise.all(queues.map((queue) => queue.events()));
    expect(heard.map((events) => events.map(({ streams }) => streams[0].name))).toEqual([
      ["Crew"],
      ["Crew", "inner"],
      [],
    ]);
    const [event] = heard[0] ?? [];
    expect(event.streams[0]).toMatchObject({
      description: "about **us**",
      rendered_description: "<p>about <strong>us</strong></p>",
      subscriber_count: 0,
      history_public_to_subscribers: true,
      creator_id: null,
    });
    const { body } = await alice.get("/get_stream_id", { stream: "crew" });
    expect((await alice.get(`/streams/${body.stream_id}`)).body.stream).toEqual(event.streams[0]);
  });

  test("Who creates a channel administers it; guests create none, members no default channels", async () => {
    const { alice, greta, adam } = world;
    const crew = await make(await contextOf(alice), {
      name: "crew",
      inviteOnly: true,
      historyPublicToSubscribers: true,
    });
    expect(crew).toMatchObject({ creatorId: alice.id, historyPublicToSubscribers: true });
    const renamed = await change(crew.id, { name: "crew 2" }, await contextOf(alice));
    expect(renamed.name).toBe("crew 2");
    expect(await outcomeOf(make(await contextOf(greta), { name: "guests" }))).toThrow(
      "may not create",
    );
    expect(await outcomeOf(make(await contextOf(alice), { name: "all", isDefault: true }))).toThrow(
      "Only administrators",
    );
    expect(await make(await contextOf(adam), { name: "all", isDefault: true })).toMatchObject({
      isDefault: true,
    });
  });

  test("Names that are blank, long, unprintable or taken are refused", async () => {
    const { operator } = world;
    for (const name of ["", "  ", "x".repeat(61), "a\u0000b", "a\nb", "\ud800"]) {
      expect(() => prepareChannel({ name })).toThrow("name");
    }
    expect(() => prepareChannel({ name: "x", description: "d".repeat(1025) })).toThrow(
      "description",
    );
    expect(() => prepareChannel({ name: "x", inviteOnly: true, isDefault: true })).toThrow(
      "private",
    );
    expect(await outcomeOf(make(operator, { name: "GENERAL" }))).toThrow("already exists");
    expect((await make(operator, { name: "🦆".repeat(60) })).name).toHaveLength(120);
  });
});

describe("changing channels", () => {
  test("A new name and description reach those who may know the channel", async () => {
    const { alice, otto, adam, channels } = world;
    const queues = await Promise.all(
      [alice, adam, otto].map((one) => one.register({ event_types: ["stream"] })),
    );
    await change(channels.secret, { name: "hush", description: "psst" });
    const heard = await Promise.all(queues.map((queue) => queue.events()));
    const facts = { type: "stream", op: "update", stream_id: channels.secret };
    const expected = [
      { ...facts, name: "secret", property: "name", value: "hush" },
      {
        ...facts,
        name: "hush",
        property: "description",
        value: "psst",
        rendered_description: "<p>psst</p>",
      },
    ];
    const withoutIds = heard.map((events) => events.map(({ id: _, ...event }) => event));
    expect(withoutIds).toEqual([expected, expected, []]);
    expect((await alice.get(`/streams/${channels.secret}`)).body.stream).toMatchObject({
      name: "hush",
      description: "psst",
    });
    await change(channels.secret, { name: "hush", description: "psst", isDefault: false });
    expect(await queues[0]?.events()).toEqual([]);
  });

  test("The default channels are told to all but guests, and new members are subscribed to them", async () => {
    const { alice, greta, channels, operator } = world;
    const queues = await Promise.all(
      [alice, greta].map((one) => one.register({ event_types: ["default_streams"] })),
    );
    await change(channels.general, { isDefault: true });
    const [told, untold] = await Promise.all(queues.map((queue) => queue.events()));
    expect(told).toMatchObject([{ type: "default_streams", default_streams: [channels.general] }]);
    expect(untold).toEqual([]);
    expect((await alice.register()).state.realm_default_streams).toEqual([channels.general]);
    expect((await greta.register()).state.realm_default_streams).toEqual([]);
    expect(await outcomeOf(change(channels.secret, { isDefault: true }))).toThrow("private");

    const account = {
      email: "nina@example.com",
      fullName: "Nina",
      role: 400 as const,
      passwordHash: null,
    };
    await write(operator, (tx) => createUserIn(tx, operator, account));
    expect((await alice.get(`/streams/${channels.general}`)).body.stream.subscriber_count).toBe(7);
    await change(channels.general, { isDefault: false });
    expect((await queues[0]?.events())?.map(({ default_streams }) => default_streams)).toEqual([
      [],
    ]);
  });

  test("Who does not administer a channel changes nothing of it, and no name is given twice", async () => {
    const { bob, mona, adam, channels } = world;
    expect(
      await outcomeOf(change(channels.general, { name: "bobs" }, await contextOf(bob))),
    ).toThrow("administer");
    expect(
      await outcomeOf(change(channels.general, { description: "x" }, await contextOf(mona))),
    ).toThrow("administer");
    expect(await outcomeOf(change(channels.general, { name: "Secret" }))).toThrow("already exists");
    expect((await change(channels.general, { name: "General" }, await contextOf(adam))).name).toBe(
      "General",
    );
  });
});
