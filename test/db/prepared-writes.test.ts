import { afterEach, beforeEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { write } from "../../src/core/write";
import { defineJob } from "../../src/jobs/define";
import { nextJobs } from "../../src/jobs/store";
import { partsBuiltBy } from "../support/databases/built-statements";
import { makeWorld, type World } from "../support/world";

const ran: string[] = [];
const note = defineJob("note", Type.Object({ word: Type.String() }), async (_, { word }) => {
  ran.push(word);
  return undefined;
});

let world: World;
beforeEach(async () => {
  world = await makeWorld({}, [note]);
});
afterEach(() => world.close());

test("A second job builds no statement when it is due", async () => {
  const { operator } = world;
  await write(operator, async (tx) => {
    for (const [word, inSeconds] of [
      ["soup", 5],
      ["bread", 10],
    ] as const)
      await note.enqueue(tx, operator, { word }, { at: operator.now + inSeconds });
  });
  await world.pass(5);
  expect(await partsBuiltBy(() => world.pass(5))).toBe(0);
  expect(ran).toEqual(["soup", "bread"]);
});

test("Due jobs of another list of kinds are read without building a statement", async () => {
  const read = (name: string) => nextJobs(world.app.engine.reader, ["note", name], 1);
  for (let n = 0; n < 40; n++) await read(`kind ${n}`);
  expect(await partsBuiltBy(async () => read("another kind"))).toBe(0);
});

test("A second row of the audit log builds no statement", async () => {
  const { operator } = world;
  const act = () =>
    write(operator, async (tx) => tx.audit(operator, { action: "realm.update", kind: "realm" }));
  await act();
  expect(await partsBuiltBy(act)).toBe(0);
});

test("The first message of a second channel builds no statement", async () => {
  const subscriptions = JSON.stringify([{ name: "soup" }, { name: "bread" }]);
  const added = await world.alice.post("/users/me/subscriptions", { subscriptions });
  expect(added.status).toBe(200);
  await world.alice.say("soup", "lunch", "hot");
  expect(await partsBuiltBy(() => world.alice.say("bread", "lunch", "warm"))).toBe(0);
});

test("A message of somebody whom others have muted builds no statement", async () => {
  const { alice, bob } = world;
  const say = () => alice.say("general", "lunch", "soup?");
  await bob.post(`/users/me/muted_users/${alice.id}`);
  await say();
  expect(await partsBuiltBy(say)).toBe(0);
});

test("A second star, and taking it away, builds no statement", async () => {
  const { alice } = world;
  const ids = [
    await alice.say("general", "lunch", "one"),
    await alice.say("general", "lunch", "two"),
  ];
  const change = async (op: string, id: number | undefined) => {
    const changed = await alice.post("/messages/flags", { messages: [id], op, flag: "starred" });
    expect(changed.status).toBe(200);
  };
  for (const op of ["add", "remove"]) await change(op, ids[0]);
  expect(await partsBuiltBy(() => change("add", ids[1]))).toBe(0);
  expect(await partsBuiltBy(() => change("remove", ids[1]))).toBe(0);
});

test("Marking a second message as unread builds no statement", async () => {
  const { alice, bob } = world;
  const ids = [
    await alice.say("general", "lunch", "soup for @**all**"),
    await alice.say("general", "lunch", "bread for @**all**"),
  ];
  const change = async (op: string, id: number | undefined) => {
    const changed = await bob.post("/messages/flags", { messages: [id], op, flag: "read" });
    expect(changed.status).toBe(200);
  };
  for (const op of ["add", "remove"]) await change(op, ids[0]);
  expect(await partsBuiltBy(() => change("add", ids[1]))).toBe(0);
  expect(await partsBuiltBy(() => change("remove", ids[1]))).toBe(0);
});

test.each<[string, Record<string, string>]>([
  ["its name", { emoji_name: "tada" }],
  ["its name and type", { emoji_name: "tada", reaction_type: "unicode_emoji" }],
  ["its code", { emoji_code: "1f389", reaction_type: "unicode_emoji" }],
])("Taking away a second reaction by %s builds no statement", async (_, named) => {
  const { alice } = world;
  const ids = [
    await alice.say("general", "lunch", "one"),
    await alice.say("general", "lunch", "two"),
  ];
  for (const id of ids)
    expect((await alice.post(`/messages/${id}/reactions`, { emoji_name: "tada" })).status).toBe(
      200,
    );
  const takeAway = async (id: number | undefined) =>
    expect((await alice.delete(`/messages/${id}/reactions`, named)).status).toBe(200);
  await takeAway(ids[0]);
  expect(await partsBuiltBy(() => takeAway(ids[1]))).toBe(0);
});

test("A second status, and taking it away, builds no statement", async () => {
  const { alice } = world;
  const setStatus = async (text: string) =>
    expect((await alice.post("/users/me/status", { status_text: text })).status).toBe(200);
  for (const text of ["away", ""]) await setStatus(text);
  expect(await partsBuiltBy(() => setStatus("here"))).toBe(0);
  expect(await partsBuiltBy(() => setStatus(""))).toBe(0);
});

test("A second message that mentions people builds no statement", async () => {
  const { alice } = world;
  const say = () => alice.say("general", "lunch", "soup, @**Bob**, @**Olga** and @**topic**?");
  await say();
  expect(await partsBuiltBy(say)).toBe(0);
});

test("A second edit builds no statement", async () => {
  const { alice } = world;
  const id = await alice.say("general", "lunch", "one @**Bob**");
  const edit = async (content: string) =>
    expect((await alice.patch(`/messages/${id}`, { content })).status).toBe(200);
  await edit("two @**Olga**");
  expect(await partsBuiltBy(() => edit("three @**Bob**"))).toBe(0);
});

test("A second deletion builds no statement", async () => {
  const { alice, olga } = world;
  await alice.say("general", "lunch", "the first of the channel stays");
  const ids = [
    await alice.say("general", "lunch", "one"),
    await alice.say("general", "lunch", "two"),
  ];
  const remove = async (id: number | undefined) =>
    expect((await olga.delete(`/messages/${id}`)).status).toBe(200);
  await remove(ids[0]);
  expect(await partsBuiltBy(() => remove(ids[1]))).toBe(0);
});
