import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type ChannelGroupSettingName,
  channelGroupSettings,
} from "../../src/channels/group-settings";
import { verify } from "../support/client-state/verify";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
let groups: Record<string, number>;
beforeAll(async () => {
  world = await makeWorld();
  const { body } = await world.olga.get("/user_groups");
  groups = Object.fromEntries(
    body.user_groups.map(({ name, id }: { name: string; id: number }) => [name, id]),
  );
  for (const name of realmSettings) {
    const answer = await world.olga.patch("/realm", {
      [name]: { new: groups["role:administrators"] },
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
});
afterAll(() => world.close());

/** The organization's own permissions, which would grant as much as a channel's. */
const realmSettings = [
  "can_add_subscribers_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
  "can_move_messages_between_channels_group",
  "can_move_messages_between_topics_group",
  "can_resolve_topics_group",
];

/** Action of somebody in a channel, and the way in which the owner puts it right again. */
interface Deed {
  isPrivate?: true;
  /** The actors beside the owner are in the channel, except for this action. */
  fromOutside?: true;
  do(
    person: Person,
    channel: string,
    id: number,
  ): Promise<{ status: number; body: { code?: string } }>;
  undo?(channel: string): Promise<unknown>;
}

let count = 0;
const newTopic = () => `topic ${count++}`;

const deeds: Record<ChannelGroupSettingName, Deed> = {
  can_add_subscribers_group: {
    do: (person, name) =>
      person.post("/users/me/subscriptions", {
        subscriptions: [{ name }],
        principals: [world.otto.id],
      }),
    undo: (name) =>
      world.olga.delete("/users/me/subscriptions", {
        subscriptions: [name],
        principals: [world.otto.id],
      }),
  },
  can_administer_channel_group: {
    do: (person, _, id) => person.patch(`/streams/${id}`, { description: newTopic() }),
  },
  can_create_topic_group: {
    do: (person, name) =>
      person.post("/messages", {
        type: "channel",
        to: name,
        topic: newTopic(),
        content: "first of all",
      }),
  },
  can_delete_any_message_group: {
    do: async (person, name) =>
      person.delete(`/messages/${await world.olga.say(name, "old", "delete this")}`),
  },
  can_delete_own_message_group: {
    do: async (person, name) =>
      person.delete(`/messages/${await person.say(name, "old", "delete this")}`),
  },
  can_move_messages_out_of_channel_group: {
    do: async (person, name) =>
      person.patch(`/messages/${await world.olga.say(name, "old", "move this")}`, {
        stream_id: world.channels.general,
      }),
  },
  can_move_messages_within_channel_group: {
    do: async (person, name) =>
      person.patch(`/messages/${await world.olga.say(name, "old", "move this")}`, {
        topic: newTopic(),
      }),
  },
  can_remove_subscribers_group: {
    do: (person, name) =>
      person.delete("/users/me/subscriptions", {
        subscriptions: [name],
        principals: [world.carol.id],
      }),
    undo: (name) =>
      world.olga.post("/users/me/subscriptions", {
        subscriptions: [{ name }],
        principals: [world.carol.id],
      }),
  },
  can_resolve_topics_group: {
    do: async (person, name) => {
      const topic = newTopic();
      const id = await world.olga.say(name, topic, "done");
      return person.patch(`/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: "change_all" });
    },
  },
  can_send_message_group: {
    do: (person, name) =>
      person.post("/messages", { type: "channel", to: name, topic: "old", content: "hello" }),
  },
  can_subscribe_group: {
    isPrivate: true,
    fromOutside: true,
    do: (person, name) => person.post("/users/me/subscriptions", { subscriptions: [{ name }] }),
    undo: (name) =>
      world.olga.delete("/users/me/subscriptions", {
        subscriptions: [name],
        principals: [world.alice.id],
      }),
  },
};

const names = Object.keys(channelGroupSettings) as ChannelGroupSettingName[];

describe("Who holds a permission of a channel may do what it is for, and nobody else:", () => {
  test.each(names)("%s", async (name) => {
    const { olga, adam, alice, bob, carol, greta, otto } = world;
    const deed = deeds[name];
    const channel = `of ${name}`;
    const subscribers = deed.fromOutside
      ? [olga.id]
      : [olga.id, adam.id, alice.id, bob.id, carol.id];
    const settings = { invite_only: deed.isPrivate, history_public_to_subscribers: true };
    const made = await olga.post("/channels/create", { name: channel, subscribers, ...settings });
    const { id } = made.body;
    await olga.say(channel, "old", "the first topic");
    const outcomeOf = async (person: Person) => {
      const { status, body } = await deed.do(person, channel, id);
      if (status === 200) await deed.undo?.(channel);
      return status === 200 ? "ok" : `${status} ${body.code}`;
    };
    const give = async (value: unknown) => {
      const { body } = await olga.patch(`/streams/${id}`, { [name]: { new: value } });
      expect(body).toMatchObject({ result: "success" });
      const { stream } = (await olga.get(`/streams/${id}`)).body;
      expect(stream[name]).toEqual(value);
    };
    const onlyAlice = { direct_members: [alice.id], direct_subgroups: [] };
    const [toAdam, toOtto, toGreta] = await Promise.all(
      [adam, otto, greta].map((one) => one.register({ event_types: ["stream"] })),
    );
    await verify(world, () => give(onlyAlice));
    const isIt = ({ op, property }: { op?: string; property?: string }) =>
      op === "update" && property === name;
    expect((await toAdam?.events())?.filter(isIt)).toMatchObject([
      { stream_id: id, value: onlyAlice },
    ]);
    expect((await toOtto?.events())?.filter(isIt)).toHaveLength(deed.isPrivate ? 0 : 1);
    expect(await toGreta?.events()).toEqual([]);
    expect(await outcomeOf(alice)).toBe("ok");
    expect(await outcomeOf(bob)).toBe("400 BAD_REQUEST");
    await give(groups["role:moderators"]);
    expect(await outcomeOf(alice)).toBe("400 BAD_REQUEST");
  });

  test("each of them is tried", () => expect(Object.keys(deeds).sort()).toEqual([...names].sort()));
});
