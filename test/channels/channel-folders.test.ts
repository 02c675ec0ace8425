import { afterEach, beforeEach, expect, test } from "bun:test";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const create = (person: Person, name: string, description = "") =>
  person.post("/channel_folders/create", { name, description });
const newFolder = async (name: string): Promise<number> =>
  (await create(world.adam, name)).body.channel_folder_id;
const foldersOf = async (person: Person, include_archived = false) =>
  (await person.get("/channel_folders", { include_archived })).body.channel_folders;
const change = (id: number, values: Record<string, unknown>) =>
  world.adam.patch(`/channel_folders/${id}`, values);
const namesOf = (folders: { name: string }[]) => folders.map(({ name }) => name);
const putInto = (folder_id: number | null) =>
  world.adam.patch(`/streams/${world.channels.general}`, { folder_id: folder_id ?? "null" });

test("Adam adds, changes, reorders and archives folders; everybody of the realm hears of it, nobody else", async () => {
  const { adam, greta, zoe, clock } = world;
  const queues = await listen({ adam, greta, zoe }, { event_types: ["channel_folder"] });
  const work = (await create(adam, " Work ", "What we **do**")).body.channel_folder_id;
  const play = await newFolder("Play");
  expect(await foldersOf(greta)).toEqual([
    {
      id: work,
      name: "Work",
      description: "What we **do**",
      order: 0,
      is_archived: false,
      rendered_description: "<p>What we <strong>do</strong></p>",
      creator_id: adam.id,
      date_created: clock.now(),
    },
    expect.objectContaining({
      id: play,
      name: "Play",
      description: "",
      rendered_description: "",
      order: 1,
    }),
  ]);
  await change(play, { name: "Games", description: "Fun" });
  await change(play, { name: "Games" });
  expect((await adam.patch("/channel_folders", { order: [play, work] })).status).toBe(200);
  expect(namesOf(await foldersOf(greta))).toEqual(["Games", "Work"]);
  await change(work, { is_archived: true });
  expect(namesOf(await foldersOf(greta))).toEqual(["Games"]);
  expect(namesOf(await foldersOf(greta, true))).toEqual(["Games", "Work"]);
  const told = ["add", "add", "update", "reorder", "update"];
  expect(await hear(queues, ({ op }) => op)).toEqual({ adam: told, greta: told, zoe: [] });
});

test("A folder without a name or with another's, a missing one and an order that is not whole are refused", async () => {
  const { adam, alice, zoe } = world;
  const work = await newFolder("Work");
  const play = await newFolder("Play");
  for (const name of ["", " ", "n".repeat(61), "WORK"]) {
    expect([name, refusal(await create(adam, name))]).toEqual([name, "400 BAD_REQUEST"]);
  }
  expect(refusal(await create(adam, "Long", "d".repeat(1025)))).toBe("400 BAD_REQUEST");
  expect(refusal(await adam.post("/channel_folders/create", { name: "x" }))).toBe(
    "400 REQUEST_VARIABLE_MISSING",
  );
  expect(refusal(await create(alice, "Mine"))).toBe("400 UNAUTHORIZED_PRINCIPAL");
  expect(refusal(await change(play, { name: "work" }))).toBe("400 BAD_REQUEST");
  expect(refusal(await change(1e6, { name: "Other" }))).toBe("400 BAD_REQUEST");
  for (const order of [[work], [work, work], [work, play, 1e6]]) {
    expect(refusal(await adam.patch("/channel_folders", { order }))).toBe("400 BAD_REQUEST");
  }
  const theirs = (await create(zoe, "Theirs")).body.channel_folder_id;
  expect(refusal(await change(theirs, { name: "Ours" }))).toBe("400 BAD_REQUEST");
  expect(refusal(await putInto(theirs))).toBe("400 BAD_REQUEST");
  expect(namesOf(await foldersOf(adam, true))).toEqual(["Work", "Play"]);
});

test("A channel is put into a folder and taken out; a folder with channels in it is not archived", async () => {
  const { alice, otto } = world;
  const work = await newFolder("Work");
  const queues = await listen({ alice, otto }, { event_types: ["stream"] });
  expect((await putInto(work)).status).toBe(200);
  const { stream } = (await alice.get(`/streams/${world.channels.general}`)).body;
  expect(stream.folder_id).toBe(work);
  expect(refusal(await change(work, { is_archived: true }))).toBe("400 BAD_REQUEST");
  expect((await putInto(null)).status).toBe(200);
  expect((await change(work, { is_archived: true })).status).toBe(200);
  expect(refusal(await putInto(work))).toBe("400 BAD_REQUEST");
  const told = [
    ["folder_id", work],
    ["folder_id", null],
  ];
  expect(await hear(queues, ({ property, value }) => [property, value])).toEqual({
    alice: told,
    otto: told,
  });
});

test("A channel that leaves the archive leaves a folder that was archived meanwhile, and keeps one that was not", async () => {
  const { adam, alice, channels } = world;
  const verifyNext = verifyInTurn(world);
  const { general } = channels;
  const work = await newFolder("Work");
  const folderOf = async () => (await alice.get(`/streams/${general}`)).body.stream?.folder_id;
  const set = (is_archived: boolean) => adam.patch(`/streams/${general}`, { is_archived });
  await putInto(work);
  await set(true);
  await verifyNext(async () => void (await set(false)));
  expect(await folderOf()).toBe(work);
  await set(true);
  expect((await change(work, { is_archived: true })).status).toBe(200);
  const queues = await listen({ alice }, { event_types: ["stream"] });
  await verifyNext(async () => void (await set(false)));
  expect(await folderOf()).toBeNull();
  const [created] = (await hear(queues, (event) => event))["alice"] ?? [];
  expect(created).toMatchObject({ op: "create", streams: [{ folder_id: null }] });
});

test("Of a folder's name that was archived another one is made, and the old one stays archived until it is free", async () => {
  const work = await newFolder("Work");
  await change(work, { is_archived: true });
  const again = await newFolder("Work");
  expect(refusal(await change(work, { is_archived: false }))).toBe("400 BAD_REQUEST");
  await change(again, { name: "Office" });
  expect((await change(work, { is_archived: false })).status).toBe(200);
});

test("The folders at register and the events give the folders afterwards", async () => {
  const work = await newFolder("Work");
  await verify(world, async () => {
    const play = await newFolder("Play");
    await change(work, { name: "Office", description: "Here" });
    await world.adam.patch("/channel_folders", { order: [play, work] });
    await putInto(work);
    await change(play, { is_archived: true });
  });
});

test("Alice makes a channel with its folder, permissions and first subscribers", async () => {
  const { alice, bob, carol } = world;
  const folder_id = await newFolder("Work");
  const queues = await listen({ alice, bob, carol }, { event_types: ["subscription"] });
  const { status, body } = await alice.post("/channels/create", {
    name: "Lunch",
    description: "Every *day*",
    subscribers: [alice.id, bob.id],
    folder_id,
    invite_only: true,
    history_public_to_subscribers: true,
    can_send_message_group: { direct_members: [alice.id], direct_subgroups: [] },
  });
  expect(status).toBe(200);
  const { stream } = (await alice.get(`/streams/${body.id}`)).body;
  expect(stream).toMatchObject({
    name: "Lunch",
    folder_id,
    invite_only: true,
    history_public_to_subscribers: true,
    creator_id: alice.id,
    can_send_message_group: { direct_members: [alice.id], direct_subgroups: [] },
  });
  expect(await hear(queues, ({ op }) => op)).toMatchObject({
    alice: ["add"],
    bob: ["add"],
    carol: [],
  });
  expect(refusal(await bob.post("/channels/create", { name: "LUNCH", subscribers: [] }))).toBe(
    "409 CHANNEL_ALREADY_EXISTS",
  );
  expect(refusal(await bob.post("/channels/create", { name: "Other", subscribers: [1e6] }))).toBe(
    "400 BAD_REQUEST",
  );
  expect(
    refusal(await bob.post("/channels/create", { name: "Other", subscribers: [], folder_id: 1e6 })),
  ).toBe("400 BAD_REQUEST");
  expect(refusal(await bob.get("/get_stream_id", { stream: "Other" }))).toBe("400 BAD_REQUEST");
});
