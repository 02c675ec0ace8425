import { afterEach, beforeEach, expect, test } from "bun:test";
import { makeWorld, type Node, type Person, type World } from "../support/world";

/**
 * Two servers on one database: requests that reach both at once are nevertheless carried out in one
 * order.
 */
let world: World;
let other: Node;
beforeEach(async () => {
  world = await makeWorld({ web_public_streams_enabled: "true" });
  other = await world.startNode();
  await world.olga.patch("/realm", { enable_spectator_access: true });
});
afterEach(() => world.close());

const rounds = [1, 2, 3, 4];

async function make(
  name: string,
  people: Person[],
  parameters: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await world.olga.post("/channels/create", {
    name,
    subscribers: people.map(({ id }) => id),
    ...parameters,
  });
  return body.id;
}

const write = (person: Person, channel: number, content: string) =>
  person.post("/messages", { type: "channel", to: channel, topic: "news", content });

/** The ids of a channel's messages, and that of the newest that Notification Bot wrote. */
async function storedIn(channel: number) {
  const { body } = await world.olga.get("/messages", {
    narrow: [{ operator: "channel", operand: channel }],
    anchor: "newest",
    num_before: 100,
    num_after: 0,
  });
  const rows: { id: number; sender_full_name: string }[] = body.messages;
  const notice = rows.findLast(({ sender_full_name }) => sender_full_name === "Notification Bot");
  return { ids: rows.map(({ id }) => id), notice: notice?.id ?? 0 };
}

test("C5: what is written while a channel becomes private is read from outside only if it came before", async () => {
  const { olga, alice, bob, otto, carol } = world;
  for (const round of rounds) {
    const id = await make(`crew ${round}`, [olga, alice, bob]);
    const [inside, outside] = [
      await bob.register({ event_types: ["message"] }),
      await carol.at(other).register({ event_types: ["message"], all_public_streams: true }),
    ];
    const [change, ...answers] = await Promise.all([
      olga.patch(`/streams/${id}`, { is_private: true, history_public_to_subscribers: true }),
      ...[alice, alice.at(other), otto, otto.at(other)].map((person) => write(person, id, "hello")),
    ]);
    world.clock.advance(1);
    expect(change?.status).toBe(200);
    const { ids, notice } = await storedIn(id);
    for (const [index, { status, body }] of answers.entries()) {
      if (status === 200) expect(ids).toContain(body.id);
      if (index < 2) expect(status).toBe(200);
      else if (status === 200) expect(body.id).toBeLessThan(notice);
      else expect(body.code).toBe("STREAM_DOES_NOT_EXIST");
    }
    const heardBy = async (queue: typeof inside) =>
      (await queue.events()).map(({ message }) => message.id);
    expect(await heardBy(inside)).toEqual(ids.slice(1));
    // Late readers get only what they may read now, and that is nothing of a channel that they are
    // not in.
    expect((await heardBy(outside)).filter((one) => one >= notice)).toEqual([]);
    expect((await carol.get(`/messages/${ids.at(-1)}`)).status).toBe(400);
  }
});

test("A spectator reads nothing that is written once a channel is open to the web no more", async () => {
  const { olga, alice, anonymous } = world;
  for (const round of rounds) {
    const id = await make(`lobby ${round}`, [olga, alice], { is_web_public: true });
    await Promise.all([
      olga.patch(`/streams/${id}`, { is_web_public: false }),
      write(alice.at(other), id, "hello"),
      anonymous.get("/messages", {
        narrow: [["channels", "web-public"]],
        anchor: "newest",
        num_before: 9,
        num_after: 0,
      }),
    ]);
    const { ids } = await storedIn(id);
    for (const message of ids)
      expect((await anonymous.get(`/messages/${message}`)).status).toBe(401);
  }
});

test("What is written while a channel is archived comes before that, or not at all", async () => {
  const { olga, alice, bob } = world;
  for (const round of rounds) {
    const id = await make(`crew ${round}`, [olga, alice, bob]);
    const senders = [alice, alice.at(other), bob, bob.at(other)];
    const [archived, ...answers] = await Promise.all([
      olga.at(round % 2 === 0 ? other : world).delete(`/streams/${id}`),
      ...senders.map((person) => write(person, id, "hello")),
    ]);
    expect(archived?.status).toBe(200);
    const { ids, notice } = await storedIn(id);
    expect(ids.at(-1)).toBe(notice);
    for (const { status, body } of answers) {
      if (status === 200) expect(ids).toContain(body.id);
      else expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    }
    expect(ids.length).toBe(2 + answers.filter(({ status }) => status === 200).length);
  }
});
