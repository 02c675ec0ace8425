import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, type Mock, spyOn, test } from "bun:test";
import postgres from "postgres";
import { databaseFile } from "../../db/open";
import { succeeded } from "../support/groups";
import { until } from "../support/polls";
import { makeWorld, type World } from "../support/world";

/* Subscriptions of other channels, and their subscribers, cost a message nothing. */

/** People of whom only the ids and subscriptions to another channel matter here. */
const stored = 3_000;

let world: World;
let prepared: Mock<Database["prepare"]>;
let sql: postgres.Sql | undefined;

beforeEach(async () => {
  prepared = spyOn(Database.prototype, "prepare");
  world = await makeWorld();
  const { realm, channels, place } = world;
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${stored})`;
  const many = [
    `INSERT INTO users (id, realm_id, email, email_key, full_name, role, created_at)
     ${numbers} SELECT 1000000 + i, ${realm.id}, 'p' || i || '@example.com', 'p' || i || '@example.com', 'P ' || i, 400, 1 FROM n`,
    `INSERT INTO subscriptions (realm_id, user_id, channel_id, is_active, color)
     ${numbers} SELECT ${realm.id}, 1000000 + i, ${channels.general}, true, '#76ce90' FROM n`,
    `INSERT INTO subscription_periods (realm_id, user_id, channel_id, from_message, from_log)
     ${numbers} SELECT ${realm.id}, 1000000 + i, ${channels.general}, 0, 0 FROM n`,
  ];
  if (place.databaseUrl === undefined)
    return withFile((file) => void many.forEach((text) => void file.run(text)));
  sql = postgres(place.databaseUrl, { max: 1, onnotice: () => undefined });
  for (const text of many) await sql.unsafe(text);
  await sql.unsafe("VACUUM ANALYZE");
});

afterEach(async () => {
  prepared.mockRestore();
  await sql?.end();
  await world.close();
});

function withFile<Answer>(run: (file: Database) => Answer): Answer {
  const file = new Database(databaseFile(world.place.dataFolder));
  try {
    return run(file);
  } finally {
    file.close();
  }
}

const isOfPeriods = (text: string) => text.includes('"subscription_periods"');

/** The steps of SQLite's plans for the statements about periods that it has prepared. */
const steps = () =>
  withFile((file) =>
    prepared.mock.calls
      .map(([text]) => text)
      .filter(isOfPeriods)
      .flatMap((text) => file.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all())
      .map(({ detail }) => detail),
  );

const otherConnections = async () =>
  (
    (await sql?.unsafe(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )) ?? []
  ).map(({ pid }) => pid);

/** Rows that PostgreSQL has read of periods for connections that are gone. */
async function rowsRead(): Promise<number> {
  const before = await otherConnections();
  await world.restart();
  await until(async () => !(await otherConnections()).some((pid) => before.includes(pid)));
  const name = "relname = 'subscription_periods'";
  const [row] =
    (await sql?.unsafe(`SELECT (SELECT sum(seq_tup_read)::int FROM pg_stat_user_tables WHERE ${name})
      + (SELECT sum(idx_tup_read)::int FROM pg_stat_user_indexes WHERE ${name}) AS read`)) ?? [];
  return row?.["read"] ?? 0;
}

/** Does something, and refuses that all people, or the subscriptions of all, are walked for it. */
async function expectFewRead(run: () => Promise<unknown>) {
  const before = sql && (await rowsRead());
  if (!sql) await world.restart();
  prepared.mockClear();
  await run();
  if (before !== undefined) return expect((await rowsRead()) - before).toBeLessThan(500);
  const ofPeople = steps().filter((step) =>
    /^(SEARCH|SCAN) (subscription_periods|users)\b/.test(step),
  );
  expect(ofPeople.length).toBeGreaterThan(0);
  for (const step of ofPeople) expect(step).toMatch(/\b(user_id|rowid)=\?/);
}

test("who has read a message of a small channel is found among its subscribers", async () => {
  const { alice, bob } = world;
  const id = await alice.say("secret", "plans", "psst");
  succeeded(await bob.post("/messages/flags", { messages: [id], op: "add", flag: "read" }));
  await expectFewRead(async () => {
    const { user_ids } = succeeded(await alice.get(`/messages/${id}/read_receipts`));
    expect(user_ids).toEqual([bob.id]);
  });
});

test("who has read a direct message is found among the people of the conversation", async () => {
  const { alice, bob } = world;
  const id = await alice.tell([bob], "psst");
  succeeded(await bob.post("/messages/flags", { messages: [id], op: "add", flag: "read" }));
  await expectFewRead(async () => {
    const { user_ids } = succeeded(await alice.get(`/messages/${id}/read_receipts`));
    expect(user_ids).toEqual([bob.id]);
  });
});

test("a move into a small channel with protected history looks at its subscribers alone", async () => {
  const { alice, channels } = world;
  const id = await alice.say("plans", "t", "to be moved");
  await expectFewRead(async () => {
    const given = { stream_id: channels.secret, propagate_mode: "change_all" };
    succeeded(await alice.patch(`/messages/${id}`, given));
  });
});
