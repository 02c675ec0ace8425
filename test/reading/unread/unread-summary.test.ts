import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { UnreadIndex } from "../../../src/reading/unread/unread-index";
import { addManyMessages } from "../../support/many-messages";
import { addManyPeople } from "../../support/many-people";
import { makeWorld, type Node, type Person, type World } from "../../support/world";

interface Unread {
  count: number;
  mentions: number[];
  pms: { unread_message_ids: number[] }[];
  huddles: { unread_message_ids: number[] }[];
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[];
}

/**
 * Errors in the unread messages that a register tells of: `is:unread`, which counts by another way,
 * must agree.
 */
async function misCounted(person: Person): Promise<string[]> {
  const { body } = await person.post("/register", {
    fetch_event_types: ["message", "update_message_flags"],
  });
  const told: Unread = body.unread_msgs;
  const groups = [...told.streams, ...told.pms, ...told.huddles].flatMap(
    ({ unread_message_ids: ids }) => ids,
  );
  const narrow = [{ operator: "is", operand: "unread" }];
  const found = await person.get("/messages", {
    anchor: "newest",
    num_before: 5000,
    num_after: 0,
    narrow,
  });
  const messages: { id: number; stream_id?: number; subject: string; flags: string[] }[] =
    found.body.messages;
  const ids = messages.map(({ id }) => id);
  const wrong: string[] = [];
  if (groups.toSorted((a, b) => a - b).join() !== ids.join())
    wrong.push(`${groups.join()} instead of ${ids.join()}`);
  if (told.count !== ids.length) wrong.push(`count ${told.count}`);
  const mentions = messages
    .filter(({ flags }) => flags.some((flag) => flag.endsWith("mentioned")))
    .map(({ id }) => id);
  if (told.mentions.join() !== mentions.join())
    wrong.push(`mentions ${told.mentions} instead of ${mentions}`);
  for (const { stream_id, topic, unread_message_ids: own } of told.streams) {
    const there = messages.filter(
      (one) => one.stream_id === stream_id && one.subject.toLowerCase() === topic.toLowerCase(),
    );
    if (own.join() !== there.map(({ id }) => id).join())
      wrong.push(`topic ${topic}: ${own.join()}`);
    if (there.at(-1)?.subject !== topic) wrong.push(`${topic} is spelt ${there.at(-1)?.subject}`);
  }
  return wrong;
}

describe.each([
  ["few", false],
  ["as many as are grouped ahead", true],
] as const)("unread messages that a register tells of, %s,", (_, isLong) => {
  let world: World;
  let node: Node;
  let spied: { mockRestore(): void } | undefined;
  beforeAll(async () => {
    if (isLong) spied = spyOn(UnreadIndex.prototype, "isLong").mockReturnValue(true);
    world = await makeWorld();
    node = await world.startNode();
  });
  afterAll(async () => {
    spied?.mockRestore();
    await world.close();
  });

  /** Every action must have happened. */
  async function done(answer: Promise<{ status: number }>) {
    expect((await answer).status).toBe(200);
  }

  /** Asks at both nodes for everybody whom it may concern. */
  async function expectAgreement(after: string) {
    const { alice, bob, carol } = world;
    for (const person of [alice, bob, carol, alice.at(node), bob.at(node)]) {
      expect({ after, wrong: await misCounted(person) }).toEqual({ after, wrong: [] });
    }
  }

  test("are those that is:unread finds, whatever happens to the messages", async () => {
    const { alice, bob, carol, channels } = world;
    await done(
      alice.post("/users/me/subscriptions", {
        subscriptions: [{ name: "other" }],
        principals: [bob.id, carol.id],
      }),
    );
    const ids: number[] = [];
    for (let i = 0; i < 12; i++)
      ids.push(await bob.say("general", i % 3 === 0 ? "Apples" : "apples", `message ${i}`));
    await expectAgreement("sends");
    for (let i = 0; i < 6; i++)
      ids.push(await alice.at(node).say("general", "pears", `message ${i}`));
    await alice.tell([bob], "one");
    await alice.tell([bob, carol], "two");
    await expectAgreement("sends elsewhere");

    await done(
      carol.post("/messages/flags", { op: "add", flag: "read", messages: ids.slice(3, 6) }),
    );
    await done(alice.post("/messages/flags", { op: "remove", flag: "read", messages: [ids[12]] }));
    await expectAgreement("exceptions");
    await done(bob.patch(`/messages/${ids[4]}`, { topic: "plums", propagate_mode: "change_one" }));
    await expectAgreement("a move of a topic");
    await done(
      alice.patch(`/messages/${ids[14]}`, {
        stream_id: channels.secret,
        propagate_mode: "change_one",
      }),
    );
    await expectAgreement("a move between channels");
    await done(world.olga.at(node).delete(`/messages/${ids[8]}`));
    await expectAgreement("a deletion elsewhere");
    await done(
      bob.patch(`/messages/${ids[9]}`, { content: `@**all** look, @**${carol.fullName}**` }),
    );
    await expectAgreement("an edit that mentions");
    await done(bob.at(node).patch(`/messages/${ids[9]}`, { content: "never mind" }));
    await expectAgreement("an edit that mentions nobody");
  });

  test("are told where the memory of them is let go of while they are counted", async () => {
    const highestWith = spyOn(UnreadIndex.prototype, "highestWith");
    let isCleared = false;
    highestWith.mockImplementation(function (this: UnreadIndex) {
      this.clear();
      isCleared = true;
      return 0;
    });
    await world.alice.say("general", "let go", "hello");
    const wrong = await misCounted(world.bob);
    highestWith.mockRestore();
    expect([isCleared, wrong]).toEqual([true, []]);
  });

  test("are those of the channels that somebody is in, also when they come back", async () => {
    const { alice, bob, carol } = world;
    await bob.say("general", "leaving", "before");
    await done(carol.delete("/users/me/subscriptions", { subscriptions: ["general"] }));
    await expectAgreement("leaving");
    await bob.say("general", "leaving", "while away");
    await done(
      carol.at(node).post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] }),
    );
    await bob.say("general", "leaving", "after");
    await expectAgreement("coming back");
    await done(alice.post("/mark_all_as_read"));
    await expectAgreement("reading all");
    await bob.say("general", "leaving", "@**topic** hello");
    await expectAgreement("a mention of a topic's people");
  });

  test("are none that somebody may not read: of a time before them, in a channel that is theirs now", async () => {
    const { alice, olga, carol, otto, channels } = world;
    await done(alice.post("/mark_all_as_read"));
    // More than a move marks as read for people who lose them.
    const [first] = await addManyMessages(world, 1_002, world.clock.now());
    const into = { stream_id: channels.secret, propagate_mode: "change_all" };
    await done(alice.patch(`/messages/${first}`, into));
    const joining = { subscriptions: [{ name: "secret" }], principals: [carol.id] };
    await done(alice.post("/users/me/subscriptions", joining));
    await expectAgreement("a move of many, before carol came");
    const later = await alice.say("general", "later", "moved to carol");
    await done(alice.patch(`/messages/${later}`, { ...into, topic: "later" }));
    await expectAgreement("a move of one, after carol came");

    const id = await alice.say("general", "early", "before otto came");
    await done(otto.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] }));
    await done(otto.post("/messages/flags", { op: "remove", flag: "read", messages: [id] }));
    expect(await misCounted(otto)).toEqual([]);
    await done(olga.patch(`/streams/${channels.general}`, { is_private: true }));
    expect(await misCounted(otto)).toEqual([]);
    await expectAgreement("a channel that is private now");
  });

  test("are none that somebody may not read: the newest of all, moved before they came", async () => {
    const { alice, carol } = world;
    // Of more people than this a move marks nothing as read.
    const crowd = await addManyPeople(world, 101);
    const joining = { subscriptions: [{ name: "general" }], principals: crowd };
    await done(alice.post("/users/me/subscriptions", joining));
    const guarded = { invite_only: true, history_public_to_subscribers: false };
    await done(
      alice.post("/users/me/subscriptions", { subscriptions: [{ name: "guarded" }], ...guarded }),
    );
    const { body } = await alice.get("/get_stream_id", { stream: "guarded" });
    const id = await alice.say("general", "salaries", "not for carol");
    const into = { stream_id: body.stream_id, propagate_mode: "change_all" };
    const silent = { send_notification_to_new_thread: false };
    await done(alice.patch(`/messages/${id}`, { ...into, ...silent }));
    const inviting = { subscriptions: [{ name: "guarded" }], principals: [carol.id] };
    await done(alice.post("/users/me/subscriptions", inviting));
    await expectAgreement("a move of the newest, before carol came");
    const later = await alice.say("general", "bonuses", "for carol too");
    await done(alice.patch(`/messages/${later}`, { ...into, ...silent }));
    await expectAgreement("a move of the newest, after carol came");
    expect((await carol.get(`/messages/${later}`)).body.message?.subject).toBe("bonuses");
    expect((await carol.get(`/messages/${id}`)).status).toBe(400);
  });
});
