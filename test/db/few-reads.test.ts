import { afterEach, beforeEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { Reader } from "../../db/reader";
import type { Context, Person, Tx } from "../../src/core/context";
import { write } from "../../src/core/write";
import { defineJob } from "../../src/jobs/define";
import { makeJobRunner } from "../../src/jobs/runner";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { cached } from "../../src/memory/cached";
import { cachedItems } from "../../src/memory/cached-items";
import { markRead } from "../../src/messages/flags/change-read";
import { findUser, loadUser } from "../../src/people/users/queries";
import { renewContext } from "../../src/people/users/renew-context";
import { findPlaces } from "../../src/reading/queries";
import { errorOf } from "../support/outcome";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** A way to read, as it is before anything is in memory. */
type Read = (reader: Reader) => Promise<unknown>;

/** Counts the statements of a read, each of which asks the reader for its connection. */
async function countStatements<From extends Reader>(
  read: (reader: From) => Promise<unknown>,
  reader: From,
): Promise<number> {
  let statements = 0;
  await read({
    ...reader,
    get db() {
      statements += 1;
      return reader.db;
    },
  });
  return statements;
}

/** Statements of a value of `twoPeople`. */
const ofValue = 2;

const twoPeople = () =>
  cached(["users"], async (reader, realmId) => [
    await findUser(reader, realmId, world.alice.id),
    await findUser(reader, realmId, world.bob.id),
  ]);

test("A snapshot asks at most once for its place in the log, however many values it reads", async () => {
  const { engine } = world.app;
  const newRead = (): Read => {
    const values = [twoPeople(), twoPeople()];
    return (reader) => Promise.all(values.map((value) => value(reader, world.realm.id)));
  };
  // Once before, because a statement that is built for a connection asks twice for it.
  await engine.snapshot(newRead());
  const statements = await engine.snapshot((reader) => countStatements(newRead(), reader));
  expect(statements).toBeLessThanOrEqual(1 + 2 * ofValue);
});

test("A reader of a request does not ask again for its place before it reads a value", async () => {
  const newRead = (): Read => {
    const value = twoPeople();
    return (reader) => value(reader, world.realm.id);
  };
  const reader = world.app.engine.openReader();
  await newRead()(reader);
  expect(await countStatements(newRead(), reader)).toBe(ofValue + 1);
});

test("A snapshot that knows its place reads items that are not in memory with one statement", async () => {
  const newRead = (): Read => {
    const items = cachedItems<string>({
      table: "users",
      tables: [],
      changedBy: [],
      broughtBy: { type: "nothing", field: "id", itemOf: () => undefined },
      sizeBytesMax: 1_000,
      sizeBytesOf: () => 1,
      async load(reader, realmId, [id = 0]) {
        const user = await findUser(reader, realmId, id);
        return new Map([[id, user?.fullName ?? ""]]);
      },
    });
    return async (reader) =>
      expect(await items.read(reader, world.realm.id, [world.bob.id])).toEqual(["Bob"]);
  };
  await world.app.engine.snapshot(async (reader) => {
    await newRead()(reader);
    expect(await countStatements(newRead(), reader)).toBe(1);
  });
});

test("A write does not read its actor again whom an earlier write has read", async () => {
  const { operator, app, realm, alice } = world;
  const user = await loadUser(app.engine.reader, realm.id, alice.id);
  const ctx: Context<Person> = { ...operator, actor: { kind: "user", user, apiKeyId: 0 } };
  const renew = () =>
    write(operator, (writing) => countStatements((tx: Tx) => renewContext(tx, ctx), writing));
  await renew();
  expect(await renew()).toBe(0);
  await deactivateUser(operator, alice.id);
  expect(await errorOf(renew())).toMatchObject({ code: "UNAUTHORIZED" });
});

test("Background work asks once when it begins, however many kinds of it there are", async () => {
  const kinds = ["first", "second", "third"].map((name) =>
    defineJob(name, Type.Object({}), async () => undefined, { isOutside: true }),
  );
  const begin = (reader: Reader) => {
    const app = { ...world.app, engine: { ...world.app.engine, reader } };
    const runner = makeJobRunner(() => app, kinds);
    runner.start();
    return runner.settled();
  };
  await begin(world.app.engine.reader);
  expect(await countStatements(begin, world.app.engine.reader)).toBe(1);
});

test("The exceptions of somebody who reads along are read once for each request", async () => {
  const { alice, bob, operator, realm } = world;
  const who = { realmId: realm.id, userId: bob.id };
  const markOne = async () => {
    const id = await alice.say("general", "lunch", "soup");
    const placed = await findPlaces(world.app.engine.reader, realm.id, [id]);
    return write(operator, (writing) =>
      countStatements((tx: Tx) => markRead(tx, who, placed), writing),
    );
  };
  // Once before, because a statement that is built for a connection asks twice for it.
  await markOne();
  const readings = ["watermarks", "exceptions", "next messages"];
  const changes = ["exceptions", "watermark", "exceptions that it covers"];
  expect(await markOne()).toBe(readings.length + changes.length);
});
