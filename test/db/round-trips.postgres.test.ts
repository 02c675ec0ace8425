import { expect, test } from "bun:test";
import { connect } from "node:net";
import { openEngine } from "../../db/open";
import { openConnections, waysTo } from "../../db/postgres-client";
import { assetPath } from "../../src/core/assets";
import { dropDatabase, freshDatabase } from "../support/databases/postgres";
import { notingHooks } from "../support/databases/storage";

/** Counts the messages that are sent to a database from now on, each of which is a round trip. */
function countMessages(url: string) {
  const counts = { sent: 0 };
  waysTo.set(url, ({ host: [host = ""], port: [port = 0] }) => {
    const socket = connect(port, host);
    const { write } = socket;
    return Object.assign(socket, {
      write: (...args: Parameters<typeof write>) => {
        counts.sent += 1;
        return write.apply(socket, args);
      },
    });
  });
  return counts;
}

/**
 * Messages that open a database: to connect twice, with a password, three for the migration and its
 * transaction, and one for all that the link asks.
 */
const openingMax = 8;

test("a database is opened in a few round trips, and a new one in few more for each migration", async () => {
  const databaseUrl = await freshDatabase();
  const counts = countMessages(databaseUrl);
  const { hooks } = notingHooks();
  const migrationsFolder = assetPath("db", "migrations");
  const place = { databaseUrl, dataFolder: "", migrationsFolder };
  const open = async () => {
    const before = counts.sent;
    const { engine, migrated } = await openEngine(place, hooks, 1_700_000_000);
    const { sent } = counts;
    await engine.close();
    return { messages: sent - before, steps: migrated.to - migrated.from };
  };
  const first = await open();
  expect(first.steps).toBeGreaterThan(0);
  expect(first.messages).toBeLessThanOrEqual(openingMax + 1 + 3 * first.steps);
  const second = await open();
  expect(second.steps).toBe(0);
  expect(second.messages).toBeLessThanOrEqual(openingMax);
  waysTo.delete(databaseUrl);
  await dropDatabase(databaseUrl);
});

test("a statement goes to PostgreSQL in one round trip, also where the connection sees it for the first time", async () => {
  const url = await freshDatabase();
  const counts = countMessages(url);
  const { client, end } = openConnections(url, { max: 1 });
  await client`SELECT 1`;
  const values = [7, 2 ** 40, "text", null, true, Buffer.from([0, 255]), '{"a":1}'];
  const sql = `SELECT $1::int AS small, $2::bigint AS large, $3::text AS words, $4::int AS nothing,
    $5::boolean AS flag, $6::bytea AS bytes, $7::jsonb AS json`;
  const answers: unknown[] = [];
  for (const prepare of [false, true, true]) {
    const before = counts.sent;
    answers.push(...(await client.unsafe(sql, [...values], { prepare })));
    expect(counts.sent).toBe(before + 1);
  }
  const row = {
    small: 7,
    large: String(2 ** 40),
    words: "text",
    nothing: null,
    flag: true,
    bytes: Buffer.from([0, 255]),
    json: { a: 1 },
  };
  expect(answers).toEqual([row, row, row]);
  const sums = [1, 2, 3].map((n) =>
    client.unsafe("SELECT $1::int + 1 AS sum", [n], { prepare: true }),
  );
  expect((await Promise.all(sums)).map(([row]) => row?.["sum"])).toEqual([2, 3, 4]);
  await end();
  waysTo.delete(url);
  await dropDatabase(url);
});
