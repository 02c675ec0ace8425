import { expect, test } from "bun:test";
import postgres, { type Sql } from "postgres";
import { openConnections } from "../../db/postgres-client";
import { seededRandom } from "../crash/seeded-random";
import { fillTables } from "../support/databases/any-row";
import { borrowDatabase } from "../support/databases/kept-databases";
import { lendSessions } from "../support/databases/lent-sessions";
import { dropDatabase, freshDatabase } from "../support/databases/postgres";
import { findSeed } from "../support/databases/seed";
import { outcomeOf } from "../support/outcome";
import { makeWorld } from "../support/world";

const rounds = 4;

/** Name of the database that those of worlds are copies of. */
function loadTemplate(): string {
  const template = findSeed()?.database;
  if (template === undefined) throw new Error("Run this file with `test/run.ts`, which seeds it.");
  return template;
}

test("A database that goes from one world to the next is as a new one each time, down to the places of its rows", async () => {
  const template = loadTemplate();
  const untouched = await freshDatabase(template);
  const expected = await describeDatabase(untouched);
  await dropDatabase(untouched);
  const urls = new Set<string>();
  for (let round = 1; round <= rounds; round++) {
    const world = await makeWorld();
    const url = world.app.config.database ?? "";
    urls.add(url);
    await fillTables(world, world.alice.id);
    await world.alice.tell([world.bob, world.carol], "Hello, you two.");
    await Promise.all([1, 2, 3].map((n) => world.bob.say("general", `topic ${n}`, "Hello.")));
    await disturb(url, round);
    expect(await describeDatabase(url)).not.toEqual(expected);
    await world.close();
    expect(await describeDatabase(url)).toEqual(expected);
  }
  expect(urls.size).toBe(1);
});

test("A database goes to no other world where its schema has changed, or where somebody may still be connected", async () => {
  const template = loadTemplate();
  const changed = await borrowDatabase(template);
  await runOnce(changed.url, "ALTER TABLE realms ADD COLUMN motto text");
  await changed.giveBack();
  const looked = await makeWorld();
  const lookedAt = looked.place.databaseUrl;
  await looked.close();
  const held = await borrowDatabase(template);
  const connections = openConnections(held.url, { max: 1 });
  await connections.client`SELECT 1`;
  await held.giveBack();
  await connections.end();
  const watched = await borrowDatabase(template);
  const watching = postgres(watched.url, { max: 1, onclose: () => undefined });
  await watching`SELECT 1`;
  await watched.giveBack();
  await outcomeOf(watching.end({ timeout: 0 }));
  const next = await borrowDatabase(template);
  expect([changed.url, lookedAt, held.url, watched.url]).not.toContain(next.url);
  await next.giveBack();
});

test("A database that is given back twice goes to one world", async () => {
  const template = loadTemplate();
  const twice = await borrowDatabase(template);
  await Promise.all([twice.giveBack(), twice.giveBack()]);
  await twice.giveBack();
  const first = await borrowDatabase(template);
  twice.spoil();
  const second = await borrowDatabase(template);
  expect(first.url).toBe(twice.url);
  expect(second.url).not.toBe(first.url);
  await Promise.all([first.giveBack(), second.giveBack()]);
  const third = await borrowDatabase(template);
  expect([first.url, second.url]).toContain(third.url);
  await third.giveBack();
});

test("A session that goes from one client to the next keeps nothing of the one before", async () => {
  const template = loadTemplate();
  const url = await freshDatabase(template);
  const sessions = lendSessions(url);
  const first = openConnections(url, { max: 1 });
  const before = await describeSession(first.client);
  await first.client`SET search_path TO nowhere`;
  await first.client`SET enable_seqscan TO on`;
  await first.client`LISTEN somebody`;
  await first.client`SELECT pg_advisory_lock(5)`;
  await first.client`CREATE TEMPORARY TABLE kept (id int)`;
  await first.client`PREPARE kept AS SELECT 1`;
  expect(await describeSession(first.client)).not.toEqual(before);
  await first.end();

  expect(await sessions.areBack()).toBe(true);
  const second = openConnections(url, { max: 1 });
  expect(await describeSession(second.client)).toEqual(before);
  await second.client`BEGIN`;
  await second.end();

  await sessions.areBack();
  const third = openConnections(url, { max: 1 });
  const { pid, ...others } = await describeSession(third.client);
  expect(pid).not.toBe(before["pid"]);
  expect(others).toEqual({ ...before, pid: undefined });
  await third.end();
  expect(await sessions.areBack()).toBe(true);
  const seen = await runOnce(
    url,
    "SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'chatd'",
  );
  expect(seen).toEqual([]);
  sessions.stop();
  await dropDatabase(url);
});

/** Settings, locks and other things that a client may have left in a session. */
async function describeSession(sql: Sql): Promise<Record<string, unknown>> {
  const [row] = await sql`SELECT pg_backend_pid() AS pid,
    current_setting('search_path') AS path, current_setting('enable_seqscan') AS scans,
    current_setting('application_name') AS name, current_setting('TimeZone') AS zone,
    (SELECT count(*) FROM pg_listening_channels()) AS channels,
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks,
    (SELECT count(*) FROM pg_class WHERE relname = 'kept') AS tables,
    (SELECT count(*) FROM pg_prepared_statements WHERE from_sql) AS statements`;
  return { ...row };
}

async function runOnce(url: string, sql: string) {
  const client = postgres(url, { max: 1 });
  const rows = await client.unsafe(sql);
  await client.end();
  return [...rows];
}

/**
 * Rows of each table with their places, what PostgreSQL notes of their number, and all sequences.
 */
async function describeDatabase(url: string): Promise<string[]> {
  const sql = postgres(url, { max: 1 });
  const described: string[] = [];
  for (const table of await namesOf(sql, "r")) {
    const [row] = await sql.unsafe(
      `SELECT json_agg(json_build_array(ctid, t) ORDER BY ctid) AS rows, pg_relation_size('"${table}"') AS size,
        (SELECT concat(relpages, ' ', reltuples) FROM pg_class WHERE oid = '"${table}"'::regclass) AS noted
      FROM "${table}" t`,
    );
    described.push(`${table} ${JSON.stringify(row)}`);
  }
  for (const sequence of await namesOf(sql, "S")) {
    const [row] = await sql.unsafe(`SELECT last_value, is_called FROM "${sequence}"`);
    described.push(`${sequence} ${JSON.stringify(row)}`);
  }
  await sql.end();
  return described;
}

async function namesOf(sql: Sql, kind: "r" | "S"): Promise<string[]> {
  const rows = await sql`SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = ${kind} ORDER BY 1`;
  return rows.map(({ name }) => name);
}

/** Deletes or writes anew the rows of some tables, takes some of it back, and uses up numbers. */
async function disturb(url: string, seed: number) {
  const random = seededRandom(seed);
  const sql = postgres(url, { max: 1, connection: { session_replication_role: "replica" } });
  for (const table of await namesOf(sql, "r")) {
    const [column] = await sql`SELECT attname AS name FROM pg_attribute
      WHERE attrelid = ${`"${table}"`}::regclass AND attnum > 0 AND attgenerated = '' LIMIT 1`;
    const rewriting = `UPDATE "${table}" SET "${column?.["name"]}" = "${column?.["name"]}"`;
    const change = random() < 0.4 ? `DELETE FROM "${table}"` : rewriting;
    if (random() < 0.6)
      await sql.unsafe(`BEGIN; ${change}; ${random() < 0.3 ? "ROLLBACK" : "COMMIT"}`);
  }
  for (const sequence of await namesOf(sql, "S"))
    if (random() < 0.5) await sql`SELECT nextval(${`"${sequence}"`})`;
  await sql.end();
}
