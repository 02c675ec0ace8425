import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import postgres from "postgres";
import { readMigrations } from "../../db/migrate";
import { migratePostgres } from "../../db/migrate-postgres";
import { whyUnusable } from "../../src/core/storage/postgres-check";
import { type FreshPlace, freshPlace } from "../support/databases/storage";
import { outcomeOf } from "../support/outcome";

/* A database of PostgreSQL in another encoding than UTF-8, as an old cluster makes it. */

const name = `chatd_encoding_${crypto.randomUUID().slice(0, 8)}`;
let place: FreshPlace;

beforeEach(async () => {
  place = await freshPlace();
});
afterEach(async () => {
  await asked(place.databaseUrl ?? "", `DROP DATABASE IF EXISTS ${name}`);
  await place.remove();
});

async function asked(url: string, query: string) {
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  return await client.unsafe(query).finally(() => client.end());
}

test.each(["LATIN1", "SQL_ASCII"])(
  "A database in %s is refused before there are tables in it, and the doctor tells of it",
  async (encoding) => {
    const own = place.databaseUrl ?? "";
    const made = `ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`;
    await asked(own, `CREATE DATABASE ${name} ${made}`);
    const url = new URL(own);
    url.pathname = `/${name}`;
    const migrations = readMigrations(join(place.migrationsFolder, "postgres"));
    const told = `its encoding is ${encoding}`;
    expect(await outcomeOf(migratePostgres(url.href, migrations, 1))).toThrow(told);
    expect(
      await asked(url.href, "SELECT * FROM pg_tables WHERE schemaname = 'public'"),
    ).toBeEmpty();
    expect(await whyUnusable(url.href)).toStartWith(`The database cannot be used: ${told}`);
    expect(await whyUnusable(own)).toBeUndefined();
  },
);
