import { afterEach, beforeEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { write } from "../../src/core/write";
import { defineJob } from "../../src/jobs/define";
import { until } from "../support/polls";
import { testEngine } from "../support/storage";
import { makeWorld, type World } from "../support/world";

/* The work of a job is done, but the database does not store its end. */

let [sent, ends, troubles] = [0, 0, 0];

const send = defineJob(
  "send",
  Type.Object({}),
  async () => {
    sent += 1;
    return async () => {
      if (troubles-- > 0) throw full();
      ends += 1;
      return undefined;
    };
  },
  { isLeased: true, isOutside: true },
);

/** The error of a full disk. */
function full(): Error {
  const code =
    testEngine === "sqlite" ? { code: "SQLITE_FULL" } : { name: "PostgresError", code: "53100" };
  const cause = Object.assign(new Error("full, on purpose"), code);
  return new Error("A statement failed.", { cause });
}

let world: World;
beforeEach(async () => {
  [sent, ends, troubles] = [0, 0, 0];
  world = await makeWorld({}, [send]);
});
afterEach(() => world.close());

const enqueue = () => write(world.operator, (tx) => send.enqueue(tx, world.operator, {}));

test("storing it is tried again until it succeeds, and the work is not repeated", async () => {
  troubles = 3;
  await enqueue();
  await until(() => troubles === 2);
  expect(await world.app.jobs.list()).toMatchObject([{ state: "running", attempts: 1 }]);
  await until(() => {
    world.clock.advance(1);
    return ends === 1;
  });
  await world.pass(0);
  expect([sent, ends, await world.app.jobs.list()]).toEqual([1, 1, []]);
  await world.pass(3_600);
  expect(sent).toBe(1);
});

test("a server that ends meanwhile does not wait for it", async () => {
  troubles = 1_000;
  await enqueue();
  await until(() => troubles < 1_000);
  await world.restart();
  expect(await world.app.jobs.list()).toMatchObject([{ attempts: 1 }]);
  troubles = 0;
  await world.pass(61);
  await world.pass(0);
  expect([ends, await world.app.jobs.list()]).toEqual([1, []]);
});
