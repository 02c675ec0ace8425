import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { write } from "../../src/core/write";
import { endQueuesOf } from "../../src/events/queues";
import type { WireEvent } from "../support/client";
import { shareWorld } from "../support/shared-world";
import type { World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

/** The protocol's list of what `register` answers. */
const keyList = join(import.meta.dir, "../recorded/api/register-keys.tsv");

describe("register", () => {
  test("answers a queue, the levels under both names, and the state of what was asked for", async () => {
    const { body, status } = await world.alice.post("/register", {
      fetch_event_types: ["realm_user", "stream"],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: "success",
      msg: "",
      last_event_id: -1,
      idle_queue_timeout_secs: 600,
      zulip_feature_level: 481,
      service_feature_level: 481,
      zulip_version: expect.any(String),
    });
    expect(body.realm_users.length).toBe(9);
    expect(body.streams.length).toBeGreaterThan(0);
    expect(body.subscriptions).toBeUndefined();
    expect(body.realm_emoji).toBeUndefined();
  });

  test("C1: a queue that ends before this process has taken it over is not served from memory", async () => {
    const { alice, app, operator, realm } = await ownWorld();
    const queue = await alice.register();
    const { db, t } = app.engine.reader;
    const [row] = await db.select().from(t.eventQueues).where(eq(t.eventQueues.id, queue.id));
    if (!row) throw new Error("The queue has no row.");
    await write(operator, (tx) => endQueuesOf(tx, realm.id, [alice.id]));
    app.events.opened({ ...row, options: JSON.parse(row.options) });
    const poll = await alice.get("/events", {
      queue_id: queue.id,
      last_event_id: -1,
      dont_block: true,
    });
    expect(poll.body.code).toBe("BAD_EVENT_QUEUE_ID");
  });

  test("tells people with equal settings each their own time zone", async () => {
    const { alice, bob } = await ownWorld();
    await alice.patch("/settings", { timezone: "Europe/Berlin" });
    const [hers, his] = [await alice.register(), await bob.register()];
    expect(hers.state.user_settings).toEqual({
      ...his.state.user_settings,
      timezone: "Europe/Berlin",
    });
    expect(his.state.user_settings.timezone).toBe("");
  });

  test("takes event_types for what to fetch where nothing else is said, and for what to send strictly", async () => {
    const queue = await world.bob.register({ event_types: ["reaction"] });
    expect(queue.state.realm_users).toBeUndefined();
    await world.alice.say("general", "lunch", "soup?");
    expect(await queue.events()).toEqual([]);
    const none = await world.bob.register({ event_types: [] });
    await world.alice.say("general", "lunch", "bread?");
    expect(await none.events()).toEqual([]);
    expect(none.state.realm_users).toBeUndefined();
    const all = await world.bob.register();
    await world.alice.say("general", "lunch", "cheese?");
    expect((await all.events()).map(({ type }) => type)).toContain("message");
  });

  test("GET /events without a queue's id does the same", async () => {
    const { status, body } = await world.bob.get("/events", {
      event_types: ["message"],
      apply_markdown: false,
    });
    expect([status, body.events, body.last_event_id]).toEqual([200, [], -1]);
    await world.alice.say("general", "lunch", "soup?");
    const next = await world.bob.get("/events", {
      queue_id: body.queue_id,
      last_event_id: -1,
      dont_block: true,
    });
    expect(next.body.events[0].message.content).toBe("soup?");
  });

  test("A5: a guest is refused all public channels, at register and at GET /events", async () => {
    for (const answer of [
      await world.greta.post("/register", { all_public_streams: true }),
      await world.greta.get("/events", { all_public_streams: true }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
    }
  });

  test("tells of settings by one event type; the two that came before it are not sent any more", async () => {
    await ownWorld();
    const legacy = ["update_display_settings", "update_global_notifications"];
    const [older, queue] = [
      await world.alice.register({ event_types: legacy }),
      await world.alice.register({ event_types: [...legacy, "user_settings"] }),
    ];
    await world.alice.patch("/settings", {
      enter_sends: true,
      enable_desktop_notifications: false,
    });
    expect(await older.events()).toEqual([]);
    expect((await queue.events()).map(({ type, property }) => [type, property])).toEqual([
      ["user_settings", "enable_desktop_notifications"],
      ["user_settings", "enter_sends"],
    ]);
  });

  test("narrows a queue by what a message tells, and passes over an operand of 'is' that it does not know", async () => {
    const { alice, bob } = world;
    const queue = await bob.register({
      event_types: ["message"],
      narrow: [
        ["is", "of a later version"],
        ["topic", "lunch"],
      ],
    });
    const id = await alice.say("general", "lunch", "soup");
    await alice.say("general", "tea", "green");
    expect((await queue.events()).map(({ message }) => message.id)).toEqual([id]);
  });

  test("refuses what it cannot understand, and opens no queue", async () => {
    await ownWorld();
    const wrong: Record<string, unknown>[] = [
      { client_capabilities: "[]" },
      { client_capabilities: "nonsense" },
      { client_capabilities: { bulk_message_deletion: "yes" } },
      { narrow: { operator: "channel" } },
      { narrow: [["is", 1]] },
      { narrow: [["nonsense", "x"]] },
      { event_types: "message" },
      { event_types: [1] },
      { fetch_event_types: { a: 1 } },
      { include_subscribers: "some" },
      { apply_markdown: "maybe" },
      { idle_queue_timeout: "tablet" },
    ];
    for (const parameters of wrong) {
      const { status, body } = await world.alice.post("/register", parameters);
      expect({ parameters, status, code: body.code }).toEqual({
        parameters,
        status: 400,
        code: "BAD_REQUEST",
      });
    }
    const { db, t } = world.app.engine.reader;
    expect(await db.select().from(t.eventQueues)).toEqual([]);
  });

  test("answers every key of the protocol's list to every role", async () => {
    const keys = readFileSync(keyList, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t")[0] ?? "");
    for (const person of [world.olga, world.alice, world.greta, world.robot]) {
      const { state } = await person.register();
      expect(
        keys.filter(
          (key) => !key.startsWith("server_settings.") && !(key in state) && key !== "muted_topics",
        ),
      ).toEqual([]);
    }
  });
});

describe("the state and the queue's beginning", () => {
  test("are one moment: with people sending meanwhile, state and events have each message exactly once", async () => {
    const { alice, bob, carol } = await ownWorld();
    const types = {
      event_types: ["message", "update_message_flags"],
      fetch_event_types: ["message", "update_message_flags"],
    };
    const sends: Promise<number>[] = [];
    const queues: ReturnType<typeof bob.register>[] = [];
    for (let i = 0; i < 60; i++) {
      sends.push((i % 2 ? alice : carol).say("general", "lunch", `${i}`));
      if (i % 6 === 0) queues.push(bob.register(types));
      if (i % 10 === 9) await sends.at(-5);
    }
    const ids = (await Promise.all(sends)).sort((a, b) => a - b);
    for (const queue of await Promise.all(queues)) {
      const unread: number[] = queue.state.unread_msgs.streams.flatMap(
        ({ unread_message_ids }: { unread_message_ids: number[] }) => unread_message_ids,
      );
      const brought = (await queue.events()).map(({ message }: WireEvent) => message.id);
      expect([...unread, ...brought]).toEqual(ids);
      expect(queue.state.max_message_id).toBe(unread.at(-1) ?? -1);
    }
  });

  test("with people joining meanwhile, state and events have each subscriber exactly once", async () => {
    const { bob, otto, alice } = await ownWorld();
    const join = () =>
      otto.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
    const leave = () => otto.delete("/users/me/subscriptions", { subscriptions: ["general"] });
    const changes = (async () => {
      for (let round = 0; round < 5; round++) {
        await join();
        await leave();
      }
      await join();
    })();
    const types = { event_types: ["subscription"], include_subscribers: true };
    const queues = await Promise.all(Array.from({ length: 8 }, () => bob.register(types)));
    await changes;
    for (const queue of queues) {
      const general = queue.state.subscriptions.find(
        ({ name }: { name: string }) => name === "general",
      );
      const members = new Set<number>(general.subscribers);
      for (const { op, user_ids } of await queue.events()) {
        for (const id of user_ids) {
          expect(members.has(id)).toBe(op === "peer_remove");
          if (op === "peer_add") members.add(id);
          else members.delete(id);
        }
      }
      expect(members.has(otto.id) && members.has(alice.id)).toBe(true);
    }
  });
});
