import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Queue } from "../support/client";
import { refusal } from "../support/listening";
import { makeWorld, type World } from "../support/world";

let world: World;
let queue: Queue;
beforeEach(async () => {
  world = await makeWorld();
  queue = await world.alice.register({ event_types: ["message"] });
});
afterEach(() => world.close());

const message = (more: object = {}) => ({
  type: "channel",
  to: "general",
  topic: "t",
  content: "once",
  queue_id: queue.id,
  local_id: "17.01",
  ...more,
});

async function contentsInGeneral(): Promise<string[]> {
  const parameters = { anchor: "oldest", num_before: 0, num_after: 100, apply_markdown: false };
  const { body } = await world.alice.get("/messages", parameters);
  return body.messages.map(({ content }: { content: string }) => content);
}

describe("A client that names its message with a local id", () => {
  test("finds that id in the event on its own queue, and on no other", async () => {
    const { alice, bob } = world;
    const second = await alice.register({ event_types: ["message"] });
    const bobs = await bob.register({ event_types: ["message"] });
    const { body } = await alice.post("/messages", message());
    expect(await queue.events()).toMatchObject([
      { local_message_id: "17.01", message: { id: body.id } },
    ]);
    for (const other of [second, bobs]) {
      const [event] = await other.events();
      expect(event.message.id).toBe(body.id);
      expect(event).not.toHaveProperty("local_message_id");
    }
  });

  test("finds it also when it asks late, from a server that was started anew", async () => {
    const { body } = await world.alice.post("/messages", message());
    await world.restart();
    expect(await queue.events()).toMatchObject([
      { local_message_id: "17.01", message: { id: body.id } },
    ]);
  });

  test("that sends again is answered with the first message, and nobody hears of it twice", async () => {
    const { alice, bob } = world;
    const bobs = await bob.register({ event_types: ["message"] });
    const first = await alice.post("/messages", message());
    const again = await alice.post("/messages", message());
    expect(again.body).toEqual({ result: "success", msg: "", id: first.body.id });
    expect(await contentsInGeneral()).toEqual(["once"]);
    expect(await bobs.events()).toHaveLength(1);
    expect(await queue.events()).toHaveLength(1);
    const other = await alice.post("/messages", message({ local_id: "18.01" }));
    expect(other.body.id).toBeGreaterThan(first.body.id);
  });

  test("that sends twice at the same time stores one message", async () => {
    const { alice, bob } = world;
    const bobs = await bob.register({ event_types: ["message"] });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => alice.post("/messages", message())),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await contentsInGeneral()).toEqual(["once"]);
    expect(await bobs.events()).toHaveLength(1);
  });

  test("may not give the same id to another message", async () => {
    const { alice } = world;
    await alice.post("/messages", message());
    for (const more of [{ content: "twice" }, { topic: "u" }, { type: "direct", to: [alice.id] }]) {
      expect(refusal(await alice.post("/messages", message(more)))).toBe("400 BAD_REQUEST");
    }
    expect(refusal(await alice.post("/messages", message({ local_id: "x".repeat(201) })))).toBe(
      "400 BAD_REQUEST",
    );
    expect(await contentsInGeneral()).toEqual(["once"]);
  });

  test("may use it again on another queue, and when the queue is gone", async () => {
    const { alice } = world;
    const second = await alice.register({ event_types: ["message"] });
    const ids = [];
    for (const id of [queue.id, second.id])
      ids.push((await alice.post("/messages", message({ queue_id: id }))).body.id);
    await alice.delete("/events", { queue_id: queue.id });
    ids.push((await alice.post("/messages", message())).body.id);
    expect(new Set(ids).size).toBe(3);
  });

  test("C8: that names somebody else's queue neither writes into it nor is remembered there", async () => {
    const { alice, bob } = world;
    await bob.post("/messages", message());
    const [event] = await queue.events();
    expect(event).not.toHaveProperty("local_message_id");
    expect((await alice.post("/messages", message({ content: "mine" }))).status).toBe(200);
    expect(await contentsInGeneral()).toEqual(["once", "mine"]);
  });

  test("without a queue gets an ordinary message", async () => {
    const { alice } = world;
    await alice.post("/messages", message({ queue_id: undefined }));
    await alice.post("/messages", message({ queue_id: undefined }));
    expect(await contentsInGeneral()).toEqual(["once", "once"]);
  });
});
