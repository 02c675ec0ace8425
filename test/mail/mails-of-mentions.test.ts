import { afterEach, beforeEach, expect, test } from "bun:test";
import type { AnyJob } from "../../src/jobs/define";
import { mailJob } from "../../src/mail/job";
import { missedMailJob } from "../../src/mail/missed-mail/job";
import { newMentionsJob } from "../../src/mail/missed-mail/new-mentions";
import { makeGroup } from "../support/groups";
import { until } from "../support/polls";
import { beginMailsOfOne } from "../support/servers/mails-of-one";
import { type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type World } from "../support/world";

/* Mentions that edits add, before, after and while the new messages are looked at. */

/** Runs after a look at the new messages has read them, before its end is stored. */
let meanwhile: (() => Promise<void>) | undefined;
/** Number of runs of the job for an edit's mentions that fail. */
let failing: number;

const look: AnyJob = {
  ...missedMailJob,
  run: async (...given) => {
    const finish = await missedMailJob.run(...given);
    const happens = meanwhile;
    meanwhile = undefined;
    await happens?.();
    return finish;
  },
};

const ofMentions: AnyJob = {
  ...newMentionsJob,
  run: async (...given) => {
    if (failing-- > 0) throw new Error("failed, on purpose");
    return newMentionsJob.run(...given);
  },
};

let world: World;
let relay: Relay;
beforeEach(async () => {
  [meanwhile, failing] = [undefined, 0];
  relay = await startRelay();
  world = await makeWorld(relay.flags, [mailJob, look, ofMentions]);
  await beginMailsOfOne(world);
  await world.pass(0);
});
afterEach(async () => {
  await world.close();
  await relay.close();
});

/** Lets minutes pass; answers the mails of that time. */
async function minutes(count: number): Promise<string[]> {
  for (let i = 0; i < count; i++) await world.pass(60);
  await world.pass(0);
  const mails = relay.received.splice(0);
  return mails.map(({ to, mail }) => `${to[0]}: ${mail.subject}`).sort();
}

async function edit(id: number, content: string) {
  expect((await world.bob.patch(`/messages/${id}`, { content })).status).toBe(200);
}

/** Edits a message, and waits until the job for its new mentions has run, if there is one. */
async function editAndRun(id: number, content: string) {
  await edit(id, content);
  const isOfMentions = ({ name }: { name: string }) => name === newMentionsJob.name;
  await until(async () => !(await world.app.jobs.list()).some(isOfMentions));
}

test("a mention that an edit adds is mailed, once, and nothing with it that was mailed before", async () => {
  const { alice, bob } = world;
  const id = await bob.say("general", "lunch", "Who comes?");
  await edit(id, "Who comes? @**Carol**");
  await bob.tell([alice], "hello");
  expect(await minutes(4)).toEqual([
    "alice@example.com: [Acme] Bob has written to you",
    "carol@example.com: [Acme] #general > lunch",
  ]);
  await edit(id, "Who comes? @**Carol** @**Alice**");
  expect(await minutes(1)).toEqual([]);
  expect(await minutes(4)).toEqual(["alice@example.com: [Acme] #general > lunch"]);
});

test("a mention that an edit adds while the new messages are looked at is mailed, once", async () => {
  const id = await world.bob.say("general", "lunch", "Who comes?");
  meanwhile = () => editAndRun(id, "Who comes? @**Carol** @**Bob**");
  await world.pass(60);
  expect(meanwhile).toBeUndefined();
  expect(await minutes(6)).toEqual(["carol@example.com: [Acme] #general > lunch"]);
});

test.each([
  ["everybody in the channel", "@**all**", ["adam", "alice", "carol", "mona", "olga"]],
  ["everybody in the topic", "@**topic**", ["carol"]],
  ["a group", "@*cooks*", ["olga"]],
])(
  "a mention of %s that an edit adds while the new messages are looked at is mailed, once",
  async (_whom, mention, names) => {
    const { alice, bob, carol, channels, olga } = world;
    await makeGroup(alice, "cooks", { members: [olga.id] });
    await carol.say("general", "lunch", "I come.");
    // Carol takes part in the topic, and gets no mails about it.
    await carol.post("/user_topics", {
      stream_id: channels.general,
      topic: "lunch",
      visibility_policy: 0,
    });
    await world.pass(60);
    const id = await bob.say("general", "lunch", "Who comes?");
    meanwhile = () => edit(id, `Who comes? ${mention}`);
    await world.pass(60);
    expect(meanwhile).toBeUndefined();
    expect(await minutes(6)).toEqual(
      names.map((name) => `${name}@example.com: [Acme] #general > lunch`),
    );
  },
);

test("somebody whose mails were just written when an edit mentions them gets all of it, once", async () => {
  const { bob, carol } = world;
  await bob.tell([carol], "hello");
  await world.pass(60);
  const id = await bob.say("general", "lunch", "Who comes?");
  meanwhile = () => editAndRun(id, "Who comes? @**Carol**");
  expect(await minutes(6)).toEqual([
    "carol@example.com: [Acme] #general > lunch",
    "carol@example.com: [Acme] Bob has written to you",
  ]);
  expect(meanwhile).toBeUndefined();
});

test("a mention that the look at new messages finds is not mailed again for the edit, however late", async () => {
  await world.pass(50);
  const id = await world.bob.say("general", "lunch", "Who comes?");
  failing = 2;
  await edit(id, "Who comes? @**Carol**");
  await world.pass(10);
  await world.pass(50);
  expect(await minutes(6)).toEqual(["carol@example.com: [Acme] #general > lunch"]);
});
