import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readSizes } from "../../db/sql/sizes";
import { catchUp } from "../../src/messages/search/indexing";
import { deleteTopic } from "../../src/messages/topics/service";
import {
  countAccount,
  countAnswers,
  countBot,
  countGroup,
  countOrganization,
  countTopic,
  countTraces,
} from "../../src/moving/figures/consequences";
import type { Figure } from "../../src/moving/figures/figure";
import { readOrganizationFigures } from "../../src/moving/figures/organization";
import { loadAccount, loadNamedGroup } from "../../src/moving/organization/lookup";
import { upload } from "../support/files";
import { until } from "../support/polls";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const counts = (figures: readonly Figure[]) =>
  Object.fromEntries(figures.map(({ name, count }) => [name, count]));

const account = (email: string) => loadAccount(world.operator, email);

describe("numbers of what goes with something", () => {
  test("count a topic's messages, those who wrote them, and each linked file once", async () => {
    const { alice, bob, operator, channels } = world;
    const url = await upload(alice, "note.txt", "hello");
    await alice.say("general", "Lunch", `here [it](${url}) is`);
    await bob.say("general", "lunch", `and again: [it](${url})`);
    await bob.say("general", "lunch", "thanks");
    await bob.say("general", "dinner", "what about that?");
    const figures = counts(await countTopic(operator, channels.general, "LUNCH"));
    expect(figures).toEqual({ messages: 3, people: 2, files: 1, bytes: 5 });
    const none = counts(await countTopic(operator, channels.general, "breakfast"));
    expect(none).toEqual({ messages: 0, people: 0, files: 0, bytes: 0 });
  });

  test("tell the fate of the files of a topic as it is: they stay with whoever has uploaded them", async () => {
    const { alice, operator, channels } = world;
    await alice.say("general", "lunch", `here [it](${await upload(alice)}) is`);
    const place = { streamId: channels.general, topicName: "lunch" };
    const figures = await countTopic(operator, place.streamId, place.topicName);
    await deleteTopic(operator, place);
    expect((await alice.get("/attachments")).body.attachments).toHaveLength(1);
    expect(figures.find(({ name }) => name === "files")?.what).toContain("stays with");
  });

  test("count an organization's people, messages and files, and no other's", async () => {
    const { alice, zoe, app, operator } = world;
    const before = counts(await countOrganization(operator, operator.realm));
    expect(before).toMatchObject({ people: 8, bots: 1, channels: 3 });
    await upload(alice, "note.txt", "hello");
    await alice.tell([alice], "to myself");
    await zoe.tell([zoe], "elsewhere");
    const realm = (await app.engine.reader.db.select().from(app.engine.reader.t.realms)).find(
      ({ id }) => id === operator.realm.id,
    );
    if (!realm) throw new Error("The organization is gone.");
    const after = counts(await countOrganization(operator, realm));
    expect(after).toEqual({
      ...before,
      messages: Number(before["messages"]) + 1,
      files: Number(before["files"]) + 1,
      bytes: Number(before["bytes"]) + 5,
    });
  });

  test("count what ends with an account and a bot, and what stays", async () => {
    const { alice, robot, operator } = world;
    await upload(alice, "goes-with-her.txt");
    await alice.say("general", "t", `[stays](${await upload(alice)})`);
    const person = await account(alice.email);
    expect(counts(await countAccount(operator, person))).toEqual({
      sessions: 0,
      api_keys: 1,
      bots: (await account(robot.email)).botOwnerId === alice.id ? 1 : 0,
      invitations: 0,
    });
    expect(counts(await countTraces(operator, person))).toEqual({ messages: 1, files: 1 });
    const bot = counts(await countBot(operator, await account(robot.email)));
    expect(bot).toEqual({ api_keys: 1, channels: expect.any(Number) });
  });

  test("count the members of a group, and the people who filled in a field", async () => {
    const { olga, alice, bob, operator } = world;
    const group = { name: "nights", description: "", members: [alice.id, bob.id] };
    await olga.post("/user_groups/create", group);
    const row = await loadNamedGroup(operator, "nights");
    expect(counts(await countGroup(operator, row))).toEqual({ people: 2, subgroups: 0 });
    const field = { name: "Team", field_type: 1, hint: "" };
    const { id } = (await olga.post("/realm/profile_fields", field)).body;
    expect(counts(await countAnswers(operator, id))).toEqual({ people: 0 });
    await alice.patch("/users/me/profile_data", { data: [{ id, value: "Core" }] });
    expect(counts(await countAnswers(operator, id))).toEqual({ people: 1 });
  });
});

describe("numbers of an organization", () => {
  const read = () => {
    const { app, operator } = world;
    return readOrganizationFigures(app.engine.reader, operator.realm, app.clock.now());
  };

  test("count its messages, and topics whatever their spelling, in channels that have any", async () => {
    const { alice, zoe } = world;
    const before = await read();
    await alice.say("general", "Lunch", "one");
    await alice.say("general", "lunch", "two");
    await alice.say("plans", "lunch", "three");
    await alice.tell([alice], "four");
    await zoe.tell([zoe], "elsewhere");
    const after = await read();
    expect(after.messages - before.messages).toBe(4);
    expect(after.topics - before.topics).toBe(2);
  });

  test("tell which bots have used their key, apart from people", async () => {
    const { robot } = world;
    await robot.get("/users/me");
    await world.pass(600);
    await robot.get("/users/me");
    await until(async () => (await read()).activeBots.day === 1);
    expect(await read()).toMatchObject({
      activeBots: { day: 1, week: 1, month: 1 },
      activePeople: { day: 0, week: 0, month: 0 },
    });
  });

  test("tell who was there in the last day, week and month, by client or API key", async () => {
    const { alice, bob } = world;
    expect((await read()).activePeople).toEqual({ day: 0, week: 0, month: 0 });
    await alice.get("/users/me");
    await bob.post("/users/me/presence", { status: "active", new_user_input: true });
    await world.pass(600);
    await alice.get("/users/me");
    // The use of a key is stored after the answer.
    await until(async () => (await read()).activePeople.day === 2);
    expect((await read()).activePeople).toEqual({ day: 2, week: 2, month: 2 });
    await world.pass(3 * 86_400);
    expect((await read()).activePeople).toEqual({ day: 0, week: 2, month: 2 });
    await world.pass(10 * 86_400);
    expect((await read()).activePeople).toEqual({ day: 0, week: 0, month: 2 });
    await world.pass(30 * 86_400);
    expect((await read()).activePeople).toEqual({ day: 0, week: 0, month: 0 });
  });
});

test("sizes of the database and its search index are told without reading them", async () => {
  const { alice, app } = world;
  const before = await readSizes(app.engine.reader);
  expect(before.database).toBeGreaterThan(100_000);
  for (let count = 0; count < 30; count += 1)
    await alice.say("general", "words", `${crypto.randomUUID()} ${crypto.randomUUID()}`);
  await catchUp(app, app.engine.reader, world.operator.realm.id);
  const after = await readSizes(app.engine.reader);
  expect(after.searchIndex).toBeGreaterThan(before.searchIndex);
});
