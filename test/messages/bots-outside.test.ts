import { afterEach, beforeEach, expect, test } from "bun:test";
import type { WireEvent } from "../support/client";
import { verify } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

/* Robot is in no channel, and has received messages of public channels that mention it. */

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const changesOnly = { event_types: ["update_message", "delete_message"] };
const inShort = (event: WireEvent) =>
  event.type === "delete_message"
    ? ["gone", ...(event.message_ids ?? [event.message_id])]
    : [event.content ?? event.new_stream_id ?? event.subject, ...event.message_ids];

/** Queues of Robot, one of them for all public channels, and of somebody else outside. */
async function listenOutside() {
  const { otto, robot } = world;
  const queues = await listen({ otto, robot }, changesOnly);
  const everything = await robot.register({ ...changesOnly, all_public_streams: true });
  return { ...queues, everything };
}

test("A bot outside a public channel hears once that a message that mentions it is edited or deleted", async () => {
  const { alice } = world;
  const id = await alice.say("general", "t", "@**Robot** and @**Otto**, soup");
  const other = await alice.say("general", "t", "not for bots");
  const queues = await listenOutside();
  await verify(world, async () => {
    await alice.patch(`/messages/${id}`, { content: "@**Robot**, salad" });
    await alice.patch(`/messages/${other}`, { content: "still not" });
  });
  expect(await hear(queues, inShort)).toEqual({
    otto: [],
    robot: [["@**Robot**, salad", id]],
    everything: [["@**Robot**, salad", id]],
  });
  await alice.patch(`/messages/${id}`, { content: "for nobody" });
  expect(await hear(queues, inShort)).toMatchObject({ otto: [], robot: [["for nobody", id]] });
  await alice.patch(`/messages/${id}`, { content: "@**Robot**, soup" });
  await alice.delete(`/messages/${id}`);
  await alice.delete(`/messages/${other}`);
  await world.restart();
  expect(await hear(queues, inShort)).toMatchObject({ otto: [], robot: [["gone", id]] });
});

test("A bot outside a public channel hears where a message that mentions it moves, and of a private channel only that it is gone", async () => {
  const { olga } = world;
  const invited = { subscriptions: [{ name: "crew" }], invite_only: true };
  const { status } = await olga.post("/users/me/subscriptions", invited);
  expect(status).toBe(200);
  const crew = (await olga.get("/get_stream_id", { stream: "crew" })).body.stream_id;
  const id = await olga.say("general", "t", "@**Robot**, soup");
  const queues = await listenOutside();
  const move = (parameters: object) =>
    olga.patch(`/messages/${id}`, { propagate_mode: "change_all", ...parameters });
  expect(refusal(await move({ topic: "kitchen" }))).toBe("200");
  expect(await hear(queues, inShort)).toEqual({
    otto: [],
    robot: [["kitchen", id]],
    everything: [["kitchen", id]],
  });
  expect(refusal(await move({ stream_id: crew }))).toBe("200");
  expect(await hear(queues, inShort)).toMatchObject({ otto: [], robot: [["gone", id]] });
  expect(refusal(await olga.delete(`/messages/${id}`))).toBe("200");
  expect(await hear(queues, inShort)).toMatchObject({ otto: [], robot: [] });
});

test("A bot outside a public channel hears once of its own edit of a message that mentions it", async () => {
  const { robot } = world;
  const id = await robot.say("general", "t", "@**Robot**, soup");
  const queues = await listenOutside();
  expect(refusal(await robot.patch(`/messages/${id}`, { content: "@**Robot**, salad" }))).toBe(
    "200",
  );
  const heard = [["@**Robot**, salad", id]];
  expect(await hear(queues, inShort)).toEqual({ otto: [], robot: heard, everything: heard });
});

test("A bot outside a public channel hears once of reactions and votes on a message that mentions it", async () => {
  const { alice, bob, otto, robot } = world;
  const id = await alice.say("general", "t", "/poll @**Robot**, soup?");
  const other = await alice.say("general", "t", "/poll not for bots");
  const queues = await listen({ otto, robot }, { event_types: ["reaction", "submessage"] });
  const vote = JSON.stringify({ type: "new_option", idx: 7, option: "salad" });
  const act = async (person: Person, messageId: number) => {
    const reacted = await person.post(`/messages/${messageId}/reactions`, { emoji_name: "+1" });
    const parameters = { message_id: messageId, msg_type: "widget", content: vote };
    const voted = await person.post("/submessage", parameters);
    expect([reacted.status, voted.status]).toEqual([200, 200]);
  };
  await verify(world, async () => {
    await act(bob, id);
    await act(bob, other);
  });
  const heard = ({ type, message_id, user_id, sender_id }: WireEvent) => [
    type,
    message_id,
    user_id ?? sender_id,
  ];
  expect(await hear(queues, heard)).toEqual({
    otto: [],
    robot: [
      ["reaction", id, bob.id],
      ["submessage", id, bob.id],
    ],
  });
  await act(robot, id);
  await bob.delete(`/messages/${id}/reactions`, { emoji_name: "+1" });
  expect(await hear(queues, heard)).toEqual({
    otto: [],
    robot: [
      ["reaction", id, robot.id],
      ["submessage", id, robot.id],
      ["reaction", id, bob.id],
    ],
  });
});
