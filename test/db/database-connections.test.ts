import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { openEngine, type Place } from "../../db/open";
import { freshPlace, notingHooks } from "../support/databases/storage";
import { openFailingNetwork } from "../support/servers/failing-network";
import { makeWorld } from "../support/world";

/** Number of connections of servers to a database. */
async function countConnections(url: string): Promise<number> {
  const client = postgres(url, { max: 1 });
  const [row] =
    await client`SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'chatd'`;
  await client.end();
  return row?.["n"];
}

test("As few connections to PostgreSQL as an operator may allow are enough for all that is done at once, and no more are opened", async () => {
  const world = await makeWorld({ database_connections_max: "5" });
  const { alice, bob, carol, place } = world;
  const rounds = Array.from({ length: 8 }, async (_, round) => {
    const answers = await Promise.all([
      alice.post("/register", {}),
      bob.post("/messages", {
        type: "channel",
        to: "general",
        topic: `topic ${round}`,
        content: "hello @**Alice**",
      }),
      carol.post("/messages", { type: "direct", to: [alice.id], content: `hello ${round}` }),
      alice.get("/messages", { anchor: "newest", num_before: 10, num_after: 0 }),
      bob.post("/users/me/presence", { status: "active", ping_only: false }),
      carol.post("/mark_all_as_read", {}),
      world.zoe.get("/users"),
    ]);
    return answers.map(({ status }) => status);
  });
  expect((await Promise.all(rounds)).flat().filter((status) => status !== 200)).toEqual([]);
  if (place.databaseUrl !== undefined)
    expect(await countConnections(place.databaseUrl)).toBeLessThanOrEqual(5);
  await world.close();
});

test("PostgreSQL itself ends sessions of a node that is gone; behind a pooler that lets no such wish pass, all works without", async () => {
  const place = await freshPlace();
  const { databaseUrl } = place;
  if (databaseUrl !== undefined) {
    const pooler = await openFailingNetwork(databaseUrl, "tcp_keepalives_idle");
    expect(await idleLimit(place)).toBe("1min");
    expect(await idleLimit({ ...place, databaseUrl: pooler.url })).toBe("0");
    await pooler.close();
  }
  await place.remove();
});

interface PgDatabase {
  execute(query: unknown): Promise<{ limit: string }[]>;
}

/** Time for which a session outside a write may be silent in a transaction. */
async function idleLimit(place: Place): Promise<string | undefined> {
  const { engine } = await openEngine(place, notingHooks().hooks, 1_000);
  const asked = sql`SELECT current_setting('idle_in_transaction_session_timeout') AS limit`;
  const [row] = await (engine.reader.db as unknown as PgDatabase).execute(asked);
  await engine.close();
  return row?.limit;
}
