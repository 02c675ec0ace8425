import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { endLeftServers, startServer } from "../support/processes/server-process";
import type { Serving } from "../support/processes/serving-process";
import { root } from "../support/root";
import {
  loopbackAllowed,
  newHook,
  type Receiver,
  startReceiver,
} from "../support/servers/receiver";
import { makeWorld, type World } from "../support/world";

/** `WEBHOOKS_QUEUED=1000` for the number that the issue names. */
const count = Number(process.env["WEBHOOKS_QUEUED"] ?? 100);
const testMilliseconds = 60_000 + 300 * count;
const bots = ["Cook", "Waiter", "Baker", "Butler"];
/** Time that a new process leaves others to tell that they have done their work. */
const graceSeconds = 20;
/** After that, others take what a dead process was at work on. */
const takeOverSeconds = 61 + graceSeconds;

let world: World;
let receiver: Receiver;
beforeEach(async () => {
  // This process sets up, and delivers nothing.
  world = await makeWorld(loopbackAllowed, []);
  receiver = startReceiver();
});
afterEach(async () => {
  await world.close();
  await receiver.close();
});
afterAll(endLeftServers);

function start(after: number) {
  const { dataFolder, databaseUrl } = world.place;
  const serving: Serving = {
    dataFolder,
    databaseUrl,
    now: world.clock.now() + after,
    passes: graceSeconds,
    flags: loopbackAllowed,
  };
  const script = join(root, "test/support/processes/serving-process.ts");
  return startServer([process.execPath, "run", script, JSON.stringify(serving)]).ready();
}

test(
  `a server that is killed with ${count} deliveries queued forgets none, and says no answer twice`,
  async () => {
    for (const name of bots) await newHook(world, receiver.url, { name });
    receiver.answer(() => new Promise<Response>(() => undefined));
    const killed = await start(0);
    const bob = world.bob.at(killed);
    const say = async (index: number) =>
      bob.say("general", `topic ${index}`, `@**${bots[index % bots.length]}** ${index}`);
    const sent: number[] = [];
    for (let index = 0; index < count; index += 20) {
      sent.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(20, count - index) }, (_, at) => say(index + at)),
        )),
      );
    }
    expect(sent).toHaveLength(count);
    await killed.kill();
    expect(await world.app.jobs.list()).toHaveLength(count);
    const underWay = receiver.received.length;
    expect(underWay).toBeLessThanOrEqual(bots.length);

    // The next one is killed when half of it is done.
    const { promise: half, resolve: isHalf } = Promise.withResolvers<void>();
    receiver.answer(({ json }) => {
      if (receiver.received.length >= underWay + count / 2) isHalf();
      return { content: `re ${json.message.id}` };
    });
    const second = await start(takeOverSeconds);
    await half;
    await second.kill();
    const left = (await world.app.jobs.list()).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(count);

    const { promise: all, resolve: isAll } = Promise.withResolvers<void>();
    const delivered = () => new Set(receiver.received.map(({ json }) => json.message.id));
    receiver.answer(({ json }) => {
      if (delivered().size === count) isAll();
      return { content: `re ${json.message.id}` };
    });
    const third = await start(2 * takeOverSeconds);
    await all;
    await third.stop();
    expect([...delivered()].sort((a, b) => a - b)).toEqual(sent.sort((a, b) => a - b));
    const { db, t } = world.app.engine.reader;
    const texts = (await db.select({ content: t.messages.content }).from(t.messages)).map(
      ({ content }) => content,
    );
    const answers = texts.filter((content) => content.startsWith("re "));
    // The next server takes up the work that was under way when the last one was ended.
    expect(new Set(answers).size).toBe(answers.length);
    expect(answers.length + (await world.app.jobs.list()).length).toBe(count);
  },
  testMilliseconds,
);
