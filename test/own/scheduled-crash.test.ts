import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { spawn } from "bun";
import type { Delivery } from "../support/processes/delivering-process";
import { root } from "../support/root";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const delay = 60;

/** Another node takes the job and is killed. */
async function deliverAndDie(diesWhen: Delivery["diesWhen"]) {
  const { dataFolder, databaseUrl } = world.place;
  const delivery: Delivery = { dataFolder, databaseUrl, now: world.clock.now() + delay, diesWhen };
  const script = join(root, "test/support/processes/delivering-process.ts");
  const child = spawn([process.execPath, "run", script, JSON.stringify(delivery)], {
    stderr: "inherit",
  });
  const timer = setTimeout(() => child.kill("SIGTERM"), 20_000);
  await child.exited;
  clearTimeout(timer);
  expect(child.signalCode).toBe("SIGKILL");
}

test.each(["prepared", "written", "committed"] as const)(
  "a server that is killed when a scheduled message is %s neither loses nor doubles it",
  async (diesWhen) => {
    const { alice, bob, clock } = world;
    const { body } = await alice.post("/scheduled_messages", {
      type: "direct",
      to: [bob.id],
      content: "once",
      scheduled_delivery_timestamp: clock.now() + delay,
    });
    expect(body.result).toBe("success");
    await deliverAndDie(diesWhen);
    await world.restart();
    await world.pass(delay);
    const { body: read } = await bob.get("/messages", {
      anchor: "newest",
      num_before: 10,
      num_after: 0,
    });
    expect(read.messages).toMatchObject([{ sender_id: alice.id, content: "<p>once</p>" }]);
    expect((await alice.get("/scheduled_messages")).body.scheduled_messages).toEqual([]);
    expect(await world.app.jobs.list()).toEqual([]);
  },
);
