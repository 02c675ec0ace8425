import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { write } from "../../src/core/write";
import { changeChannel } from "../../src/management/channels/edit";
import { updateRealmSettings } from "../../src/management/organization/update";
import { newChannel } from "../support/api/calls/things";
import { verify } from "../support/client-state/verify";
import { outcomeOf } from "../support/outcome";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
let moderation: { id: number; name: string };
beforeEach(async () => {
  world = await makeWorld();
  moderation = await newChannel(world, [world.mona], { inviteOnly: true });
});
afterEach(() => world.close());

const choose = (id: number) => world.olga.patch("/realm", { moderation_request_channel_id: id });

const report = (
  person: Person,
  messageId: number,
  parameters: Record<string, unknown> = { report_type: "spam" },
) => person.post(`/messages/${messageId}/report`, parameters);

const only = { event_types: ["message"], apply_markdown: false };

test("a report is told in the moderation channel, to those in it and to nobody else", async () => {
  const { alice, bob, carol, mona, adam, channels } = world;
  await choose(moderation.id);
  const id = await alice.say("general", "lunch", "buy ```this``` @**all**");
  const inside = await mona.register(only);
  const outside = await Promise.all(
    [alice, bob, carol, adam].map((person) => person.register(only)),
  );
  const { status, body } = await report(bob, id, {
    report_type: "other",
    description: "It is @**all** wrong",
  });
  expect({ status, body }).toMatchObject({ status: 200, body: { result: "success" } });
  const [{ message, flags }, ...more] = await inside.events();
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    sender_full_name: "Notification Bot",
    stream_id: moderation.id,
    subject: "Alice's moderation requests",
  });
  expect(flags).toEqual([]);
  expect(message.content).toContain(`@_**Bob|${bob.id}** reported`);
  expect(message.content).toContain(`@_**Alice|${alice.id}**`);
  expect(message.content).toContain("Other reason");
  expect(message.content).toContain("wrong");
  expect(message.content).toContain("buy ```this```");
  expect(message.content).toContain(
    `narrow/channel/${channels.general}-general/topic/lunch/near/${id}`,
  );
  for (const queue of outside) expect(await queue.events()).toEqual([]);
});

test("of a message in a private place, the report names neither the channel nor the topic", async () => {
  const { alice, bob, mona } = world;
  await choose(moderation.id);
  const inside = await mona.register(only);
  const secret = await alice.say("secret", "moon", "psst");
  const direct = await alice.tell([bob], "hey");
  expect((await report(bob, secret)).status).toBe(200);
  expect((await report(bob, direct)).status).toBe(200);
  const contents: string[] = (await inside.events()).map(({ message }) => message.content);
  expect(contents[0]).toContain(`#narrow/id/${secret}`);
  expect(contents[1]).toContain(`#narrow/id/${direct}`);
  for (const content of contents) expect(content).not.toMatch(/moon|secret/);
});

test("A17: who cannot read a message cannot report it, as if it were missing", async () => {
  const { alice, carol, greta, olga, zoe } = world;
  await choose(moderation.id);
  const id = await alice.say("secret", "moon", "psst");
  const inside = await olga.register(only);
  for (const person of [carol, greta, olga]) {
    const [hidden, missing] = [await report(person, id), await report(person, 999_999)];
    expect(hidden.status).toBe(400);
    expect(hidden.body).toEqual(missing.body);
  }
  expect((await report(zoe, id)).status).toBe(400);
  expect(await inside.events()).toEqual([]);
});

test("refuses an unknown type, `other` without a description, one that is too long, and where no channel is chosen", async () => {
  const { alice, bob, olga } = world;
  const id = await alice.say("general", "lunch", "soup");
  const refused = { status: 400, body: { code: "BAD_REQUEST" } };
  expect(await report(bob, id)).toMatchObject(refused);
  await choose(moderation.id);
  expect(await report(bob, id, { report_type: "boring" })).toMatchObject(refused);
  expect(await report(bob, id, { report_type: "other", description: " " })).toMatchObject(refused);
  expect(
    await report(bob, id, { report_type: "spam", description: "d".repeat(1001) }),
  ).toMatchObject(refused);
  expect((await report(bob, id, {})).body.code).toBe("REQUEST_VARIABLE_MISSING");
  const { body } = await bob.post("/register", {});
  for (const { key } of body.server_report_message_types) {
    expect(
      (await report(bob, id, { report_type: key, description: "🥣".repeat(1000) })).status,
    ).toBe(200);
  }
  await olga.delete(`/streams/${moderation.id}`);
  expect(await report(bob, id)).toMatchObject(refused);
});

test("the channel for reports is private: no public one is chosen, and the chosen one is not made public, by nobody", async () => {
  const { olga, adam, mona, operator, channels } = world;
  expect(await choose(channels.general)).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST" },
  });
  const byOperator = updateRealmSettings(operator, {
    moderation_request_channel_id: channels.general,
  });
  expect(await outcomeOf(byOperator)).toThrow("must be private");
  expect((await choose(moderation.id)).status).toBe(200);
  await olga.post("/users/me/subscriptions", { subscriptions: [{ name: moderation.name }] });
  const open = (isWebPublic: boolean) =>
    mona.patch(`/streams/${moderation.id}`, {
      is_private: false,
      ...(isWebPublic ? { is_web_public: true } : {}),
    });
  await adam.patch(`/users/${mona.id}`, { role: 200 });
  for (const attempt of [await open(false), await open(true)]) {
    expect(attempt).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  }
  expect(
    await outcomeOf(changeChannel(operator, { id: moderation.id }, { isPrivate: false })),
  ).toThrow("must be private");
  expect((await mona.patch(`/streams/${moderation.id}`, { description: "Reports" })).status).toBe(
    200,
  );
  await choose(-1);
  expect((await open(false)).status).toBe(200);
});

test("of a channel for reports that is public all the same, nothing is told there", async () => {
  const { alice, bob, carol, channels, operator } = world;
  const { t } = operator.reader;
  const settings = JSON.stringify({ moderation_request_channel_id: channels.general });
  await write(operator, (tx) =>
    tx.db.update(t.realms).set({ settings }).where(eq(t.realms.id, operator.realm.id)),
  );
  const id = await alice.say("secret", "moon", "psst");
  const queue = await carol.register(only);
  expect(await report(bob, id)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  expect(await queue.events()).toEqual([]);
});

test("the state before and the events give the state after", async () => {
  await choose(moderation.id);
  const id = await world.alice.say("general", "lunch", "soup");
  const counts = await verify(world, () => report(world.bob, id));
  expect(counts).toMatchObject({ olga: 1, mona: 1, alice: 0, bob: 0, adam: 0 });
});
