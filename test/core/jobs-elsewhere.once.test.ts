import { afterEach, beforeEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { App } from "../../src/core/context";
import { write } from "../../src/core/write";
import { defineJob } from "../../src/jobs/define";
import { type JobRunner, makeJobRunner } from "../../src/jobs/runner";
import { makeWorld, type World } from "../support/world";

let ran: number;
const count = defineJob("count", Type.Object({}), async () => {
  ran += 1;
  return undefined;
});

let world: World;
let [isOpen, isFailing, asked] = [false, false, 0];
let runner: JobRunner;

/** The world's app for another runner, whose reads are counted and may fail. */
function appOfRunner(): App {
  if (!isOpen) throw new Error("The app is not open yet.");
  const { engine } = world.app;
  return {
    ...world.app,
    engine: {
      ...engine,
      get reader() {
        asked += 1;
        if (isFailing) throw new Error("The database fails on purpose.");
        return engine.reader;
      },
    },
  };
}

beforeEach(async () => {
  [ran, isOpen, isFailing, asked] = [0, true, false, 0];
  world = await makeWorld();
  runner = makeJobRunner(appOfRunner, [count]);
});
afterEach(async () => {
  await runner.stop();
  await world.close();
});

test("A node that another one has told of a write before it was open is told of later ones", async () => {
  isOpen = false;
  runner.changedElsewhere();
  isOpen = true;
  runner.start();
  await runner.settled();
  await write(world.operator, (tx) => count.enqueue(tx, world.operator, {}));
  runner.changedElsewhere();
  world.clock.advance(1);
  await runner.settled();
  expect(ran).toBe(1);
});

test("A node that has stopped asks nothing more when another one has written", async () => {
  runner.start();
  await runner.settled();
  runner.changedElsewhere();
  await runner.stop();
  asked = 0;
  world.clock.advance(1);
  runner.changedElsewhere();
  world.clock.advance(1);
  expect(asked).toBe(0);
});

test("A question that fails while the runner reads anyway is nobody's error", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  runner.start();
  runner.changedElsewhere();
  isFailing = true;
  world.clock.advance(1);
  isFailing = false;
  await runner.settled();
  process.off("unhandledRejection", note);
  expect([asked, unhandled]).toEqual([3, []]);
});
