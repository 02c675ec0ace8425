import { afterEach, beforeEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { Tx } from "../../src/core/context";
import { badRequest, isRefusal } from "../../src/core/errors";
import { write } from "../../src/core/write";
import { defineJob, type Job, type JobContext } from "../../src/jobs/define";
import { diskFullError } from "../support/databases/storage";
import { outcomeOf } from "../support/outcome";
import { until } from "../support/polls";
import { makeWorld, type World } from "../support/world";

/* The work of a job is done or refused, but the database does not store its end. */

let [sent, ends, troubles] = [0, 0, 0];
let told: string[] = [];

const send = defineJob(
  "send",
  Type.Object({}),
  async () => {
    sent += 1;
    return async () => {
      if (troubles-- > 0) throw diskFullError();
      ends += 1;
      return undefined;
    };
  },
  { isLeased: true, isOutside: true },
);

const refuse = async () => {
  throw badRequest("refused for good");
};
const telling = {
  isFinal: isRefusal,
  async onFinalFailure(_tx: Tx, _ctx: JobContext, _payload: object, error: unknown) {
    if (troubles-- > 0) throw diskFullError();
    told.push(String(error));
  },
};
const refused = defineJob("refused", Type.Object({}), refuse, telling);
const refusedOutside = defineJob("refused-outside", Type.Object({}), refuse, {
  ...telling,
  isLeased: true,
  isOutside: true,
});
const failing = defineJob(
  "failing",
  Type.Object({}),
  async () => {
    sent += 1;
    throw new Error("no answer");
  },
  { ...telling, isFinal: () => false, isLeased: true, isOutside: true, attemptsMax: 1 },
);

let world: World;
beforeEach(async () => {
  [sent, ends, troubles] = [0, 0, 0];
  told = [];
  world = await makeWorld({}, [send, refused, refusedOutside, failing]);
});
afterEach(() => world.close());

const enqueue = (job: Job<object> = send, at?: number) =>
  write(world.operator, (tx) =>
    job.enqueue(tx, world.operator, {}, at === undefined ? {} : { at }),
  );

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

test("whoever waits for a refused job is told of it when the disk has room again", async () => {
  troubles = 1;
  await enqueue(refused);
  await until(() => troubles === 0);
  await world.pass(0);
  const states = (await world.app.jobs.list()).map(({ state }) => state);
  expect([told, states]).toEqual([[], ["waiting"]]);
  await world.pass(5);
  expect([told, await world.app.jobs.list()]).toEqual([["ApiError: refused for good"], []]);
});

test.each([
  ["refused", refusedOutside, "ApiError: refused for good"],
  ["out of attempts", failing, "Error: no answer"],
] as const)(
  "whoever waits for a job that only one node runs, and that is %s, is told why when the disk has room again",
  async (_, job, why) => {
    troubles = 2;
    await enqueue(job);
    await until(() => troubles <= 1);
    expect([told, (await world.app.jobs.list()).map(({ state }) => state)]).toEqual([
      [],
      ["running"],
    ]);
    await until(() => {
      world.clock.advance(1);
      return told.length > 0;
    });
    await world.pass(0);
    expect([told, await world.app.jobs.list()]).toEqual([[why], []]);
  },
);

test("whoever waits for a job whose server ends before it could tell of its last error is told that", async () => {
  troubles = 1_000;
  await enqueue(failing);
  await until(() => troubles < 1_000);
  await world.restart();
  troubles = 0;
  await world.pass(61);
  expect([sent, told, await world.app.jobs.list()]).toEqual([
    1,
    ["Error: The server ended during the last attempt."],
    [],
  ]);
});

test("a job that the operator deletes while the disk is full stays, because nobody can be told of it", async () => {
  await enqueue(refused, world.clock.now() + 60);
  const [job] = await world.app.jobs.list();
  const remove = () => world.app.jobs.remove([job?.id ?? 0]);
  troubles = 1;
  expect(await outcomeOf(remove())).toThrow("A statement failed");
  expect([told, await world.app.jobs.list()]).toMatchObject([[], [{ state: "waiting" }]]);
  await remove();
  expect([told.length, await world.app.jobs.list()]).toEqual([1, []]);
});
