import { afterEach, beforeEach, expect, test } from "bun:test";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { newPerson } from "../support/api/calls/things";
import { verifyInTurn } from "../support/client-state/verify";
import { readersOf, upload } from "../support/files";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const only = { event_types: ["reminders"] };
const delay = 300;

async function remind(
  person: Person,
  messageId: number,
  more: Record<string, unknown> = {},
): Promise<number> {
  const { status, body } = await person.post("/reminders", {
    message_id: messageId,
    scheduled_delivery_timestamp: world.clock.now() + delay,
    ...more,
  });
  expect({ status, msg: body.msg }).toEqual({ status: 200, msg: "" });
  return body.reminder_id;
}

const listOf = async (person: Person) => (await person.get("/reminders")).body.reminders;

test("at its time Notification Bot writes to who asked, with the note, a link and what the message says then", async () => {
  const { alice, bob, clock, channels } = world;
  const messageId = await alice.say("general", "lunch", "soup at one");
  const [own, others] = [
    await bob.register(only),
    await alice.register({ event_types: ["reminders", "message"] }),
  ];
  const id = await remind(bob, messageId, { note: "Ask @**Alice** for the recipe" });
  const [{ reminders }] = await own.events();
  expect(reminders).toMatchObject([
    {
      reminder_id: id,
      type: "private",
      to: [bob.id],
      failed: false,
      reminder_target_message_id: messageId,
      scheduled_delivery_timestamp: clock.now() + delay,
    },
  ]);
  expect(reminders[0].content).toContain("recipe");
  expect(reminders[0].content).not.toContain("soup at one");
  expect(await listOf(bob)).toEqual(reminders);
  expect((await bob.register(only)).state.reminders).toEqual(reminders);
  expect(await listOf(alice)).toEqual([]);

  const received = await bob.register({ event_types: ["message"] });
  await world.pass(delay - 1);
  expect(await received.events()).toEqual([]);
  await alice.patch(`/messages/${messageId}`, { content: "soup at two" });
  await world.pass(1);
  const [{ message }, ...more] = await received.events();
  expect(more).toEqual([]);
  expect(message).toMatchObject({ type: "private", sender_full_name: "Notification Bot" });
  expect(message.content).toContain("soup at two");
  expect(message.content).toContain("recipe");
  expect(message.content).toContain(
    `narrow/channel/${channels.general}-general/topic/lunch/near/${messageId}`,
  );
  expect(message.content).not.toContain("user-mention");
  expect(await own.events()).toMatchObject([{ op: "remove", reminder_id: id }]);
  expect(await listOf(bob)).toEqual([]);
  expect(await others.events()).toEqual([]);
});

test("A1, A7: of a message that cannot be read any more nothing is said but that", async () => {
  const { alice, bob } = world;
  const secret = await alice.say("secret", "plan", "the moon");
  const deleted = await alice.say("general", "plan", "the sun");
  await remind(bob, secret, { note: "Look again" });
  await remind(bob, deleted);
  await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  await world.olga.delete(`/messages/${deleted}`);
  expect(JSON.stringify(await listOf(bob))).not.toContain("moon");
  const received = await bob.register({ event_types: ["message"] });
  await world.pass(delay);
  const contents: string[] = (await received.events()).map(({ message }) => message.content);
  expect(contents).toHaveLength(2);
  for (const content of contents) {
    expect(content).toContain("cannot read it any more");
    expect(content).not.toMatch(/moon|sun|narrow/);
  }
  expect(contents.join("")).toContain("Look again");
});

test("A12: a link in the note opens no file, although Notification Bot may read it", async () => {
  const { alice, bob, greta } = world;
  const url = await upload(alice);
  await alice.say("general", "files", `[note](${url})`);
  await remind(greta, await greta.tell([greta], "mine"), { note: `[note](${url})` });
  const received = await greta.register({ event_types: ["message"] });
  await world.pass(delay);
  expect((await received.events())[0].message.content).toContain(url);
  expect(await readersOf(url, bob, greta)).toEqual(["Bob"]);
});

test("a direct message is linked to where its conversation is", async () => {
  const { alice, bob } = world;
  await remind(bob, await alice.tell([bob], "hello"));
  const [reminder] = await listOf(bob);
  expect(reminder.content).toContain(`#narrow/dm/${alice.id},${bob.id}-dm/near/`);
});

test("who gives a reminder up, or is deactivated, is not reminded", async () => {
  const { alice, bob } = world;
  const messageId = await alice.say("general", "lunch", "soup");
  const own = await bob.register(only);
  const id = await remind(bob, messageId);
  expect((await bob.delete(`/reminders/${id}`)).status).toBe(200);
  expect(await own.events()).toMatchObject([{ op: "add" }, { op: "remove", reminder_id: id }]);
  const dave = await newPerson(world);
  await remind(dave, await dave.tell([dave], "note"));
  await deactivateUser(world.operator, dave.id);
  const received = await bob.register({ event_types: ["message"] });
  await world.pass(delay);
  expect(await received.events()).toEqual([]);
  expect(await world.app.jobs.list()).toEqual([]);
  const { db, t } = world.app.engine.reader;
  expect(await db.select().from(t.reminders)).toEqual([]);
});

test("A17, E9, E10: another's reminder answers like a missing one, and stays", async () => {
  const { alice, bob, adam, zoe } = world;
  const id = await remind(alice, await alice.say("general", "lunch", "soup"));
  for (const person of [bob, adam, zoe]) {
    for (const asked of [id, 999_999]) {
      expect(await person.delete(`/reminders/${asked}`)).toMatchObject({
        status: 404,
        body: { code: "BAD_REQUEST", msg: "Reminder does not exist." },
      });
    }
  }
  expect(await listOf(alice)).toHaveLength(1);
});

test("refuses a message that is not theirs like a missing one, the past, and a note that is too long", async () => {
  const { alice, carol, clock } = world;
  const messageId = await alice.say("general", "lunch", "soup");
  const secret = await alice.say("secret", "plan", "the moon");
  const ask = (parameters: Record<string, unknown>) =>
    carol.post("/reminders", {
      message_id: messageId,
      scheduled_delivery_timestamp: clock.now() + 60,
      ...parameters,
    });
  const [hidden, missing] = [await ask({ message_id: secret }), await ask({ message_id: 999_999 })];
  expect(hidden.status).toBe(400);
  expect(hidden.body).toEqual(missing.body);
  expect((await ask({ scheduled_delivery_timestamp: clock.now() })).body.code).toBe("BAD_REQUEST");
  expect((await ask({ scheduled_delivery_timestamp: clock.now() * 1000 })).body.code).toBe(
    "BAD_REQUEST",
  );
  expect((await ask({ note: "n".repeat(1001) })).body.code).toBe("BAD_REQUEST");
  expect((await ask({ message_id: undefined })).body.code).toBe("REQUEST_VARIABLE_MISSING");
  expect(await listOf(carol)).toEqual([]);
  expect((await ask({ note: "🥣".repeat(1000) })).status).toBe(200);
});

test("the state before and the events give the state after", async () => {
  const { alice, bob } = world;
  const verifyNext = verifyInTurn(world);
  const messageId = await alice.say("general", "lunch", "soup");
  const id = await remind(bob, messageId);
  await verifyNext(async () => {
    await remind(bob, messageId);
    await bob.delete(`/reminders/${id}`);
  });
  await verifyNext(() => world.pass(delay));
  expect(await listOf(bob)).toEqual([]);
});

test("one whose job the operator deletes goes off the list, and who asked for it is told", async () => {
  const { alice, bob } = world;
  const messageId = await alice.say("general", "lunch", "soup at one");
  const id = await remind(bob, messageId, { note: "recipe" });
  const queue = await bob.register({
    event_types: ["reminders", "message"],
    apply_markdown: false,
  });
  const [job] = await world.app.jobs.list();
  await world.app.jobs.remove([job?.id ?? 0]);
  const [removed, notice, ...more] = await queue.events();
  expect([removed, more]).toMatchObject([{ op: "remove", reminder_id: id }, []]);
  expect(notice.message.content).toContain("You were not reminded");
  expect(notice.message.content).toContain("recipe");
  expect(await listOf(bob)).toEqual([]);
});
