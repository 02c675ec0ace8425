import { afterEach, beforeEach, expect, test } from "bun:test";
import { createDefaultGroup } from "../../src/channels/default-channel-groups/service";
import { verifyInTurn } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { outcomeOf } from "../support/outcome";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

interface Group {
  id: number;
  name: string;
  description: string;
  streams: number[];
}

const create = (person: Person, group_name: string, stream_names: string[], description = "") =>
  person.post("/default_stream_groups/create", { group_name, description, stream_names });
const groupsOf = async (person: Person): Promise<Group[]> =>
  (await person.register()).state.realm_default_stream_groups;
const newGroup = async (name: string, channels: string[] = []): Promise<number> => {
  await create(world.adam, name, channels);
  return (await groupsOf(world.adam)).find((one) => one.name === name)?.id ?? -1;
};
const channelsOf = async (id: number) =>
  (await groupsOf(world.alice)).find((group) => group.id === id)?.streams;
const changeChannels = (id: number, op: string, stream_names: string[], person = world.adam) =>
  person.patch(`/default_stream_groups/${id}/streams`, { op, stream_names });

test("Adam makes, renames, fills, empties and removes groups; all but guests hear of it and see them", async () => {
  const { adam, alice, greta, zoe, channels } = world;
  const verifyNext = verifyInTurn(world);
  await alice.post("/users/me/subscriptions", { subscriptions: [{ name: "sports" }] });
  const sports = (await alice.get("/get_stream_id", { stream: "sports" })).body.stream_id;
  const queues = await listen(
    { adam, alice, greta, zoe },
    { event_types: ["default_stream_groups"] },
  );
  await verifyNext(() => create(adam, " Work ", ["general"], "To begin with"));
  await create(adam, "Play", []);
  const [play, work] = await groupsOf(alice);
  expect([play, work]).toEqual([
    { id: expect.any(Number), name: "Play", description: "", streams: [] },
    {
      id: expect.any(Number),
      name: "Work",
      description: "To begin with",
      streams: [channels.general],
    },
  ]);
  const path = `/default_stream_groups/${work?.id}`;
  await verifyNext(() => adam.patch(path, { new_group_name: "Jobs", new_description: "" }));
  await verifyNext(() => changeChannels(work?.id ?? -1, "add", ["sports"]));
  expect(await channelsOf(work?.id ?? -1)).toEqual([channels.general, sports]);
  await verifyNext(() => changeChannels(work?.id ?? -1, "remove", ["general"]));
  await verifyNext(() => adam.delete(path));
  expect(await groupsOf(alice)).toMatchObject([{ name: "Play" }]);
  expect(await groupsOf(greta)).toEqual([]);
  const inShort = (group: Group) => `${group.name} ${group.streams.length}`;
  const told = await hear(queues, (event) => event["default_stream_groups"].map(inShort).join());
  const all = ["Work 1", "Play 0,Work 1", "Jobs 1,Play 0", "Jobs 2,Play 0", "Jobs 1,Play 0"];
  expect(told).toEqual({ adam: [...all, "Play 0"], alice: [...all, "Play 0"], greta: [], zoe: [] });
});

test("Only administrators change groups; wrong names, channels and groups are refused and nothing changes", async () => {
  const { adam, alice, mona, olga, zoe, channels } = world;
  const work = await newGroup("Work", ["general"]);
  const path = `/default_stream_groups/${work}`;
  for (const person of [alice, mona]) {
    expect(refusal(await create(person, "Mine", []))).toBe("400 UNAUTHORIZED_PRINCIPAL");
    expect(refusal(await person.delete(path))).toBe("400 UNAUTHORIZED_PRINCIPAL");
  }
  for (const name of ["", " ", "n".repeat(61), "WORK", "a\0b"])
    expect([name, refusal(await create(adam, name, []))]).toEqual([name, "400 BAD_REQUEST"]);
  // A channel that is private, without the administrator, and one that does not exist.
  for (const name of ["secret", "nowhere"])
    expect(refusal(await create(adam, "Other", [name]))).toBe("400 BAD_REQUEST");
  expect(refusal(await create(adam, "Other", [], "d".repeat(1025)))).toBe("400 BAD_REQUEST");
  expect(refusal(await adam.patch(path, {}))).toBe("400 BAD_REQUEST");
  expect(refusal(await adam.patch(path, { new_group_name: "Work" }))).toBe("400 BAD_REQUEST");
  expect(refusal(await changeChannels(work, "add", ["general"]))).toBe("400 BAD_REQUEST");
  expect(refusal(await changeChannels(work, "toggle", []))).toBe("400 BAD_REQUEST");
  for (const op of ["add", "remove"])
    expect(refusal(await changeChannels(work, op, []))).toBe("400 BAD_REQUEST");
  const many = Array.from({ length: 501 }, () => "core");
  expect(refusal(await create(adam, "Other", many))).toBe("400 BAD_REQUEST");
  expect(refusal(await changeChannels(work, "remove", many))).toBe("400 BAD_REQUEST");
  await changeChannels(work, "remove", ["general"]);
  for (const name of ["general", "nowhere"])
    expect(refusal(await changeChannels(work, "remove", [name]))).toBe("400 BAD_REQUEST");
  await olga.post("/default_streams", { stream_id: channels.general });
  expect((await changeChannels(work, "add", ["general"])).body.msg).toContain("a default channel");
  for (const strange of [`/default_stream_groups/${work + 1}`, path])
    expect(refusal(await zoe.delete(strange))).toBe("400 BAD_REQUEST");
  expect(await groupsOf(alice)).toEqual([{ id: work, name: "Work", description: "", streams: [] }]);
});

test("Private channels are in no group, whoever asks: who chooses one would read them", async () => {
  const { adam, alice, operator } = world;
  const subscriptions = [{ name: "council" }];
  await adam.post("/users/me/subscriptions", { subscriptions, invite_only: true });
  const work = await newGroup("Work");
  for (const answer of [
    await create(adam, "Council", ["council"]),
    await changeChannels(work, "add", ["COUNCIL"]),
  ]) {
    expect(refusal(answer)).toBe("400 BAD_REQUEST");
    expect(answer.body.msg).toContain("'council' is private");
  }
  const input = { groupName: "Council", description: "", streamNames: ["council", "secret"] };
  expect(await outcomeOf(createDefaultGroup(operator, input))).toThrow("'council' is private");
  expect(await groupsOf(alice)).toEqual([{ id: work, name: "Work", description: "", streams: [] }]);
});

test("A channel that is archived or becomes private leaves its groups; one that becomes a default channel stays", async () => {
  const { adam, alice, olga, greta } = world;
  const verifyNext = verifyInTurn(world);
  for (const name of ["one", "two", "three"])
    await alice.post("/users/me/subscriptions", { subscriptions: [{ name }] });
  const work = await newGroup("Work", ["one", "two", "three"]);
  const play = await newGroup("Play", ["one"]);
  const [one = 0, two = 0, three = 0] = (await channelsOf(work)) ?? [];
  await verifyNext(() => olga.delete(`/streams/${one}`));
  expect([await channelsOf(work), await channelsOf(play)]).toEqual([[two, three], []]);
  await verifyNext(() => alice.patch(`/streams/${two}`, { is_private: true }));
  await verifyNext(() => olga.post("/default_streams", { stream_id: three }));
  expect(await channelsOf(work)).toEqual([three]);
  const queues = await listen({ alice, greta }, { event_types: ["default_stream_groups"] });
  await verifyNext(() => olga.patch(`/users/${greta.id}`, { role: 400 }));
  await verifyNext(() => adam.patch(`/users/${alice.id}`, { role: 600 }));
  expect(await hear(queues, (event) => event["default_stream_groups"].length)).toEqual({
    alice: [0],
    greta: [2],
  });
});
