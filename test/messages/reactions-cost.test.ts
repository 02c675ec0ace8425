import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, type Mock, spyOn, test } from "bun:test";
import postgres from "postgres";
import { databaseFile } from "../../db/open";
import { until } from "../support/polls";
import { makeWorld, type World } from "../support/world";

/* One more reaction costs as much on a message with many as on one with few. */

/** Reactions to one message before, by people of whom only the ids matter here. */
const stored = 3_000;

let world: World;
let id: number;
let prepared: Mock<Database["prepare"]>;
let sql: postgres.Sql | undefined;

beforeEach(async () => {
  prepared = spyOn(Database.prototype, "prepare");
  world = await makeWorld();
  const { alice, bob, realm, place } = world;
  id = await bob.tell([alice], "react to me");
  await bob.post(`/messages/${id}/reactions`, { emoji_name: "heart" });
  const many = `INSERT INTO reactions (realm_id, message_id, user_id, emoji_name, emoji_code, reaction_type)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${stored})
    SELECT ${realm.id}, ${id}, 1000000 + i, '+1', '1f44d', 'unicode_emoji' FROM n`;
  if (place.databaseUrl === undefined) return withFile((file) => file.run(many));
  sql = postgres(place.databaseUrl, { max: 1, onnotice: () => undefined });
  await sql.unsafe(many);
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

const reading = (text: string) => /^select .* from "reactions"/i.test(text);

/** Plans of SQLite for each statement that it has prepared to read reactions. */
const searches = () =>
  withFile((file) =>
    prepared.mock.calls
      .map(([text]) => text)
      .filter(reading)
      .flatMap((text) => file.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all())
      .map(({ detail }) => detail),
  );

/** Entries of the indexes of reactions that PostgreSQL has read for connections that are gone. */
async function entriesRead(): Promise<number> {
  const others = async () =>
    (await sql?.unsafe(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )) ?? [];
  const before = (await others()).map(({ pid }) => pid);
  await world.restart();
  await until(async () => !(await others()).some(({ pid }) => before.includes(pid)));
  const [row] =
    (await sql?.unsafe(`SELECT (SELECT sum(seq_tup_read)::int FROM pg_stat_user_tables WHERE relname = 'reactions')
      + (SELECT sum(idx_tup_read)::int FROM pg_stat_user_indexes WHERE relname = 'reactions') AS read`)) ??
    [];
  return row?.["read"] ?? 0;
}

test.each([
  ["by its name", { emoji_name: "thumbs_up" }],
  ["by its code", { emoji_name: "+1", emoji_code: "1f44d" }],
  [
    "by its code and type",
    { emoji_name: "+1", emoji_code: "1f44d", reaction_type: "unicode_emoji" },
  ],
])(`who joins ${stored} others in a reaction, %s, has none of theirs read`, async (_, emoji) => {
  const before = sql && (await entriesRead());
  if (!sql) await world.restart();
  prepared.mockClear();
  expect((await world.alice.post(`/messages/${id}/reactions`, emoji)).status).toBe(200);
  if (before !== undefined) return expect((await entriesRead()) - before).toBeLessThan(20);
  const details = searches();
  expect(details.length).toBeGreaterThan(0);
  for (const detail of details)
    expect(detail).toContain("message_id=? AND reaction_type=? AND emoji_code=?)");
});
