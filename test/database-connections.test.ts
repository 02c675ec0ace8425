import { expect, test } from "bun:test";
import postgres from "postgres";
import { makeWorld } from "./support/world";

/** How many connections there are to a database, without the one that asks. */
async function countConnections(url: string): Promise<number> {
  const sql = postgres(url, { max: 1 });
  const [row] =
    await sql`SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await sql.end();
  return row?.["n"];
}

test("As few connections to PostgreSQL as an operator may allow are enough for all that is done at once, and no more are opened", async () => {
  const world = await makeWorld({ database_connections_max: "5" });
  const { alice, bob, carol, place } = world;
  const rounds = Array.from({ length: 8 }, async (_, round) => {
    const answers = await Promise.all([
      alice.post("/register", {}),
      bob.post("/messages", { type: "channel", to: "general", topic: `topic ${round}`, content: "hello @**Alice**" }),
      carol.post("/messages", { type: "direct", to: [alice.id], content: `hello ${round}` }),
      alice.get("/messages", { anchor: "newest", num_before: 10, num_after: 0 }),
      bob.post("/users/me/presence", { status: "active", ping_only: false }),
      carol.post("/mark_all_as_read", {}),
      world.zoe.get("/users"),
    ]);
    return answers.map(({ status }) => status);
  });
  expect((await Promise.all(rounds)).flat().filter((status) => status !== 200)).toEqual([]);
  if (place.databaseUrl !== undefined) expect(await countConnections(place.databaseUrl)).toBeLessThanOrEqual(5);
  await world.close();
});
