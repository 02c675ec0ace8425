import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Person as Account, Context, Tx } from "../../src/core/context";
import { serverBusy } from "../../src/core/errors";
import { type JsonPieces, JsonText } from "../../src/core/json/raw-json";
import { LongWork } from "../../src/core/turns/loop-scheduler";
import { endLongWork } from "../../src/core/turns/turn";
import { write } from "../../src/core/write";
import { endQueuesOf, endRealmQueues } from "../../src/events/queues";
import { findUser } from "../../src/people/users/queries";
import { type Answered, register, writeState } from "../../src/register/register";
import { listApiKeys } from "../../src/sign-in/api-keys";
import { turnsDuring } from "../support/turns";
import { makeWorld, type Person, type World } from "../support/world";

const channels = 100;
/**
 * Its HTML is about as long as that of a description may be, and it needs two bytes a letter in
 * memory.
 */
const description = "😀 $$x^2$$ ".repeat(40);
/** Long texts, from here on, are one text in memory for all answers that hold them. */
const sharedMin = 4_096;

let world: World;
beforeAll(async () => {
  world = await makeWorld({ channels_per_day_per_user: "0" });
  const subscriptions = Array.from({ length: channels }, (_, n) => ({
    name: `long ${n}`,
    description: `${n} ${description}`,
  }));
  expect((await world.alice.post("/users/me/subscriptions", { subscriptions })).status).toBe(200);
});
afterAll(() => world.close());

async function contextOf(person: Person): Promise<Context<Account>> {
  const { operator } = world;
  const user = await findUser(operator.reader, operator.realm.id, person.id);
  const [key] = await listApiKeys(operator, person.id);
  if (!user || !key) throw new Error("the person has no key");
  return { ...operator, actor: { kind: "user", user, apiKeyId: key.id } };
}

const ignore: Answered = { expect: () => undefined };
const registerAs = async (person: Person, answered = ignore): Promise<JsonPieces> =>
  register(await contextOf(person), { fetchEventTypes: ["stream", "subscription"] }, answered);
const lengthOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);
const longOf = ({ pieces }: JsonPieces) => pieces.filter(({ length }) => length >= sharedMin);

/** Long work of a request, and when it began and ended. */
function watchedWork() {
  const steps: string[] = [];
  let current: string | undefined;
  const longWork = Object.defineProperty(new LongWork(), "lane", {
    get: () => current,
    set(lane: string | undefined) {
      steps.push(lane === undefined ? "ends" : "begins");
      current = lane;
    },
  });
  return { longWork, steps };
}

describe("The long work of a register", () => {
  const stepsOf = async (types: string[], change: Partial<Pick<Context, "app">> = {}) => {
    const { longWork, steps } = watchedWork();
    const ctx = { ...(await contextOf(world.alice)), ...change, longWork };
    await register(ctx, { fetchEventTypes: types }, ignore);
    endLongWork(longWork);
    return steps;
  };

  test("ends before the queue is opened, and begins again where the state is long to write", async () => {
    expect(await stepsOf(["message"])).toEqual(["begins", "ends"]);
    expect(await stepsOf(["stream", "subscription"])).toEqual(["begins", "ends", "begins", "ends"]);
  });

  const ends: Record<string, (tx: Tx) => Promise<void>> = {
    "somebody's": (tx) => endQueuesOf(tx, world.realm.id, [world.alice.id]),
    "the organization's": (tx) => endRealmQueues(tx, world.realm.id),
  };

  test.each(Object.entries(ends))(
    "begins again where the state is read again, because %s queues were ended meanwhile",
    async (_, end) => {
      const { app, operator } = world;
      let reads = 0;
      const snapshot: typeof app.engine.snapshot = async (run) => {
        const state = await app.engine.snapshot(run);
        reads += 1;
        if (reads === 1) await write(operator, end);
        return state;
      };
      const engine = Object.create(app.engine, { snapshot: { value: snapshot } });
      const steps = await stepsOf(["message"], {
        app: Object.create(app, { engine: { value: engine } }),
      });
      expect(reads).toBe(2);
      expect(steps).toEqual(["begins", "ends", "begins", "ends"]);
    },
  );

  test("comes to its end in each of several registers that come together", async () => {
    const types = ["stream", "subscription"];
    const together = () => world.alice.post("/register", { fetch_event_types: types });
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 6 }, together));
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect(new Set(answers.map(({ body }) => body.queue_id)).size).toBe(6);
      for (const { body } of answers) expect(body.streams.length).toBeGreaterThanOrEqual(channels);
    }
  });
});

describe("A register of many channels with long descriptions", () => {
  test("is in pieces, in which each channel of either list stands once", async () => {
    const { pieces } = await registerAs(world.alice);
    expect(lengthOf(pieces)).toBeGreaterThan(2 * channels * sharedMin);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
    const state = JSON.parse(`{${pieces.join("")}}`);
    const { body } = await world.alice.post("/register", {
      fetch_event_types: ["stream", "subscription"],
    });
    expect(state.streams).toEqual(body.streams);
    expect(state.subscriptions).toEqual(body.subscriptions);
    expect(new Set(state.streams.map((one: { stream_id: number }) => one.stream_id)).size).toBe(
      state.streams.length,
    );
    expect(state.subscriptions.at(-1)).toMatchObject({
      name: `long ${channels - 1}`,
      subscriber_count: 1,
      pin_to_top: false,
    });
  });

  test("lets others have their turn while it is written, and an ordinary one is written at once", async () => {
    const text = new JsonText(`{"description":"${"x".repeat(10_000)}"`, "}");
    const ofChannels = (count: number) => [
      { streams: Array<JsonText>(count).fill(text), max_message_id: 1 },
    ];
    const turns = (count: number) =>
      turnsDuring(() => writeState('"queue_id":null', ofChannels(count), true));
    expect(await turns(500)).toBeGreaterThan(8);
    expect(await turns(20)).toBeLessThan(3);
  });

  test("holds of each channel one text for both of its lists, also when somebody has subscribed since", async () => {
    const before = longOf(await registerAs(world.alice));
    expect(before).toHaveLength(2 * channels);
    const inOneList = new Set(before);
    expect(inOneList.size).toBe(channels);
    const subscriptions = [{ name: "long 0" }];
    expect((await world.bob.post("/users/me/subscriptions", { subscriptions })).status).toBe(200);
    const after = longOf(await registerAs(world.alice));
    expect(after.every((text) => inOneList.has(text))).toBe(true);
  });

  test("is known before it is written; where there is no room for it, no queue is opened", async () => {
    let expected = 0;
    const noteSize = (sizeBytes: number) => {
      expected = sizeBytes;
    };
    const { pieces } = await registerAs(world.alice, { expect: noteSize });
    expect(expected).toBeGreaterThan(0.9 * lengthOf(pieces));
    expect(expected).toBeLessThanOrEqual(lengthOf(pieces));
    const { db, t } = world.operator.reader;
    const countQueues = async () =>
      (await db.select({ id: t.eventQueues.id }).from(t.eventQueues)).length;
    const before = await countQueues();
    const refuse = () => {
      throw serverBusy();
    };
    const refused = await registerAs(world.alice, { expect: refuse }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ code: "SERVER_BUSY" });
    expect(await countQueues()).toBe(before);
  });

  test("comes whole to whoever asks for the lists alone, and with the first poll", async () => {
    const { body } = await world.alice.get("/users/me/subscriptions");
    expect(
      body.subscriptions.filter(({ name }: { name: string }) => name.startsWith("long")),
    ).toHaveLength(channels);
    const polled = await world.alice.get("/events", {
      fetch_event_types: ["stream"],
      dont_block: true,
    });
    expect(polled.body.events).toEqual([]);
    expect(polled.body.streams.length).toBeGreaterThanOrEqual(channels);
  });
});
