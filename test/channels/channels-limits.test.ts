import { expect, test } from "bun:test";
import { applyOrganization } from "../../src/moving/organization/apply";
import { parseDeclaration } from "../../src/moving/organization/parse";
import { renderDescriptions } from "../../src/realm/descriptions";
import { turnsDuring } from "../support/turns";
import { makeWorld, type Person, type World } from "../support/world";

let made = 0;
const createChannel = (person: Person, input: Record<string, unknown> = {}) =>
  person.post("/channels/create", { name: `made ${made++}`, subscribers: [person.id], ...input });
const subscribe = (person: Person, names: string[], description = "") =>
  person.post("/users/me/subscriptions", {
    subscriptions: names.map((name) => ({ name, description })),
  });
const succeeded = (answers: { status: number }[]) =>
  answers.filter(({ status }) => status === 200).length;

async function countChannels({ olga }: World): Promise<number> {
  const { body } = await olga.get("/streams", { include_all: true });
  return body.streams.length;
}

/** A description that takes as long to render as one can. */
const costly = (index: number) => `${index} ${"$$x^2$$ ".repeat(126)}`;

function declaring({ realm: { name, host } }: World, channels: string[]) {
  const items = channels.map((channel) => `  - {name: ${channel}}\n`);
  const text = `realm: {name: ${name}, host: ${host}}\nchannels:\n${items.join("")}`;
  return parseDeclaration({ name: "org.yaml", text });
}

test("Somebody makes 50 channels in a day, and the next one the day after", async () => {
  const world = await makeWorld({ channels_per_day_per_user: "50" });
  const { alice, bob, clock } = world;
  const names = Array.from({ length: 48 }, (_, index) => `many ${index}`);
  expect((await subscribe(alice, names)).status).toBe(200);
  expect(succeeded([await createChannel(alice), await createChannel(alice)])).toBe(2);
  for (const refused of [
    await createChannel(alice),
    await subscribe(alice, ["general", "one more"]),
  ]) {
    expect(refused.status).toBe(400);
    expect(refused.body.msg).toBe(
      "You can create 50 channels per day, including those of your bots: wait a day, or ask the operator to raise channels_per_day_per_user.",
    );
  }
  expect((await subscribe(alice, ["general", names[0] ?? ""])).status).toBe(200);
  expect((await createChannel(bob)).status).toBe(200);
  clock.advance(86_401);
  expect((await createChannel(alice)).status).toBe(200);
  await world.close();
});

test("An administrator makes as many as it takes to set an organization up", async () => {
  const world = await makeWorld({ channels_per_day_per_user: "2" });
  const names = Array.from({ length: 5 }, (_, index) => `set up ${index}`);
  expect((await subscribe(world.olga, names)).status).toBe(200);
  await world.close();
});

test("The last tenth of an organization's channels is for administrators", async () => {
  const world = await makeWorld({ channels_per_realm_max: "20" });
  const { alice, olga } = world;
  for (let more = 18 - (await countChannels(world)); more > 0; more--)
    expect((await createChannel(alice)).status).toBe(200);
  expect((await createChannel(alice)).body.msg).toBe(
    "An organization can have 20 channels, archived ones included, and the last 2 are for administrators: ask one of them, or " +
      "ask the operator to raise channels_per_realm_max.",
  );
  expect(
    succeeded([await createChannel(olga), await createChannel(olga), await createChannel(olga)]),
  ).toBe(2);
  await world.close();
});

test("Bots make channels for their owner's share", async () => {
  const world = await makeWorld({ channels_per_day_per_user: "2" });
  const { alice, robot } = world;
  expect(succeeded([await createChannel(alice), await createChannel(robot)])).toBe(2);
  expect(succeeded([await createChannel(alice), await createChannel(robot)])).toBe(0);
  await world.close();
});

test("Of twenty requests at once on two nodes as many succeed as one may make", async () => {
  const world = await makeWorld({ channels_per_day_per_user: "5" });
  const { alice } = world;
  const elsewhere = alice.at(await world.startNode());
  const before = await countChannels(world);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => createChannel(index % 2 === 0 ? alice : elsewhere)),
  );
  expect(succeeded(answers)).toBe(5);
  expect(await countChannels(world)).toBe(before + 5);
  await world.close();
});

test("An organization has no more channels than its operator allows, and nobody learns of hidden ones by that", async () => {
  const world = await makeWorld({ channels_per_realm_max: "5" });
  const { alice, greta, olga } = world;
  for (let more = 5 - (await countChannels(world)); more > 0; more--)
    expect((await createChannel(alice)).status).toBe(200);
  const refused = await createChannel(olga);
  expect(refused).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  expect(refused.body.msg).toBe(
    "An organization can have 5 channels, archived ones included: ask the operator to raise channels_per_realm_max.",
  );
  const [hidden, free] = [await subscribe(greta, ["plans"]), await subscribe(greta, ["nowhere"])];
  expect([hidden.status, hidden.body]).toEqual([free.status, free.body]);
  await applyOrganization(world.app, declaring(world, ["declared", "declared too"]));
  expect(await countChannels(world)).toBe(7);
  await world.close();
});

test("A hundred descriptions that take long are rendered two at a time, and others have their turn in between", async () => {
  const descriptions = Array.from({ length: 100 }, (_, index) => costly(index));
  expect(await turnsDuring(() => renderDescriptions(descriptions))).toBeGreaterThanOrEqual(50);
});
