import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

/** POST /channels/create, parameter by parameter. */
let world: World;
let groups: Map<string, number>;
beforeEach(async () => {
  world = await makeWorld();
  const { body } = await world.olga.get("/user_groups");
  groups = new Map(
    body.user_groups.map(({ id, name }: { id: number; name: string }) => [name, id]),
  );
});
afterEach(() => world.close());

const create = (person: Person, values: object) =>
  person.post("/channels/create", { name: "kitchen", subscribers: [person.id], ...values });
const made = async (person: Person, values: object): Promise<number> => {
  const { status, body } = await create(person, values);
  expect([status, body.msg]).toEqual([200, ""]);
  return body.id;
};
const channelAt = async (person: Person, id: number) =>
  (await person.get(`/streams/${id}`)).body.stream;

describe("A new channel", () => {
  test("has a name and its first people, and else what is usual; who may know it hears of it", async () => {
    const { alice, bob, carol, greta, zoe } = world;
    const queues = await listen(
      { alice, bob, carol, greta, zoe },
      { event_types: ["stream", "subscription"] },
    );
    const id = await made(alice, { subscribers: [alice.id, bob.id] });
    expect(await channelAt(carol, id)).toMatchObject({
      name: "kitchen",
      description: "",
      invite_only: false,
      is_web_public: false,
      folder_id: null,
      topics_policy: "inherit",
      history_public_to_subscribers: true,
      message_retention_days: null,
      creator_id: alice.id,
      subscriber_count: 2,
    });
    const inShort = ({ type, op }: { type: string; op: string }) => `${type} ${op}`;
    const outside = ["stream create", "subscription peer_add"];
    const inside = ["stream create", "subscription add"];
    expect(await hear(queues, inShort)).toEqual({
      alice: inside,
      bob: inside,
      carol: outside,
      greta: [],
      zoe: [],
    });
    const { default_streams } = await channelsOf(carol);
    expect(default_streams).not.toContain(id);
  });

  test("has all that is asked for", async () => {
    const { olga, alice } = world;
    const folder = (await olga.post("/channel_folders/create", { name: "House", description: "" }))
      .body;
    const people = {
      direct_members: [alice.id],
      direct_subgroups: [groups.get("role:moderators")],
    };
    const permissions = {
      can_add_subscribers_group: people,
      can_create_topic_group: groups.get("role:members"),
      can_delete_any_message_group: people,
      can_delete_own_message_group: groups.get("role:everyone"),
      can_remove_subscribers_group: people,
      can_administer_channel_group: people,
      can_move_messages_out_of_channel_group: groups.get("role:moderators"),
      can_move_messages_within_channel_group: people,
    };
    const id = await made(olga, {
      description: "**Soup**",
      folder_id: folder.channel_folder_id,
      topics_policy: "disable_empty_topic",
      message_retention_days: 7,
      is_default_stream: true,
      ...permissions,
    });
    expect(await channelAt(alice, id)).toMatchObject({
      description: "**Soup**",
      rendered_description: "<p><strong>Soup</strong></p>",
      folder_id: folder.channel_folder_id,
      topics_policy: "disable_empty_topic",
      message_retention_days: 7,
      ...permissions,
    });
    expect((await channelsOf(alice)).default_streams).toContain(id);
  });

  test("keeps messages for days, for ever, or as the organization does", async () => {
    const { olga } = world;
    const kept: unknown[] = [];
    for (const [index, message_retention_days] of [
      30,
      "30",
      "unlimited",
      "realm_default",
    ].entries()) {
      const id = await made(olga, { name: `k${index}`, message_retention_days });
      kept.push((await channelAt(olga, id)).message_retention_days);
    }
    expect(kept).toEqual([30, 30, -1, null]);
    expect(refusal(await create(olga, { message_retention_days: "for a while" }))).toMatch(/^400 /);
  });

  test.each(["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"])(
    "has the topics policy %s",
    async (topics_policy) => {
      const { olga, alice } = world;
      const id = await made(olga, { topics_policy });
      expect(await channelAt(alice, id)).toMatchObject({ topics_policy });
      const send = async (topic: string) =>
        (await olga.post("/messages", { type: "channel", to: id, topic, content: "x" })).status;
      expect([await send(""), await send("soup")]).toEqual([
        topics_policy === "disable_empty_topic" ? 400 : 200,
        topics_policy === "empty_topic_only" ? 400 : 200,
      ]);
    },
  );

  test("that is private shows newcomers what was before them only if it is to", async () => {
    const { alice, bob, carol } = world;
    for (const history_public_to_subscribers of [true, false]) {
      const name = `history ${history_public_to_subscribers}`;
      const id = await made(alice, { name, invite_only: true, history_public_to_subscribers });
      expect((await carol.get(`/streams/${id}`)).status).toBe(400);
      const before = await alice.say(name, "soup", "before bob");
      await alice.post("/users/me/subscriptions", {
        subscriptions: [{ name }],
        principals: [bob.id],
      });
      expect((await bob.get(`/messages/${before}`)).status).toBe(
        history_public_to_subscribers ? 200 : 400,
      );
    }
    const topics = { can_create_topic_group: groups.get("role:members") };
    const hidden = { name: "hidden", invite_only: true };
    expect(refusal(await create(alice, { ...hidden, ...topics }))).toBe("400 BAD_REQUEST");
    expect(
      (await create(alice, { ...hidden, ...topics, history_public_to_subscribers: true })).status,
    ).toBe(200);
  });

  test("is announced where that is wanted and the organization has a channel for it", async () => {
    const { olga, bob, channels } = world;
    const setting = { new_stream_announcements_stream_id: channels.general };
    expect((await olga.patch("/realm", setting)).status).toBe(200);
    const queue = await bob.register({ event_types: ["message"], apply_markdown: false });
    const id = await made(olga, { name: "loud", announce: true });
    await made(olga, { name: "quiet" });
    const told = (await queue.events()).filter(
      ({ message }) => message.stream_id === channels.general,
    );
    expect(told).toHaveLength(1);
    expect(told[0].message).toMatchObject({ sender_full_name: "Notification Bot" });
    expect(told[0].message.content).toContain("loud");
    expect((await channelAt(bob, id)).name).toBe("loud");
  });
});

test("A channel without a name or people, with people who are not there or beyond one's rights is not made", async () => {
  const { olga, alice, greta, zoe } = world;
  const queue = await olga.register({ event_types: ["stream"] });
  expect(refusal(await alice.post("/channels/create", { subscribers: [] }))).toBe(
    "400 REQUEST_VARIABLE_MISSING",
  );
  expect(refusal(await alice.post("/channels/create", { name: "x" }))).toBe(
    "400 REQUEST_VARIABLE_MISSING",
  );
  const refused: [Person, object][] = [
    [alice, { name: " " }],
    [alice, { subscribers: [zoe.id] }],
    [alice, { subscribers: ["alice"] }],
    [alice, { is_default_stream: true }],
    [alice, { folder_id: 1_000_000 }],
    [alice, { topics_policy: "sometimes" }],
    [alice, { can_add_subscribers_group: 1_000_000 }],
    [alice, { can_administer_channel_group: { direct_members: [zoe.id], direct_subgroups: [] } }],
    [greta, {}],
  ];
  for (const [person, values] of refused) {
    expect([values, refusal(await create(person, values))]).toEqual([values, "400 BAD_REQUEST"]);
  }
  expect(refusal(await create(alice, { message_retention_days: 7 }))).toBe(
    "400 UNAUTHORIZED_PRINCIPAL",
  );
  expect(await queue.events()).toEqual([]);
  await made(alice, {});
  expect(refusal(await create(olga, { name: "KITCHEN" }))).toBe("409 CHANNEL_ALREADY_EXISTS");
});

async function channelsOf(person: Person) {
  const { state } = await person.register({ fetch_event_types: ["default_streams"] });
  const default_streams: number[] = state.realm_default_streams.map(
    (one: number | { stream_id: number }) => (typeof one === "number" ? one : one.stream_id),
  );
  return { default_streams };
}
