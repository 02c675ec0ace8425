import postgres, { type ISql } from "postgres";
import {
  createVersionTable,
  insertVersion,
  type Migrated,
  type Migration,
  pending,
} from "./migrate";
import { connectSecondsMax } from "./postgres-client";

/** An arbitrary number that is equal in every process that migrates. */
const migrationLock = 7_216_115;

/**
 * Migrates a PostgreSQL database to the newest schema: all steps in one transaction under a lock.
 * `now` is UNIX seconds.
 */
export async function migratePostgres(
  url: string,
  migrations: Migration[],
  now: number,
): Promise<Migrated> {
  const client = postgres(url, {
    max: 1,
    onnotice: () => undefined,
    fetch_types: false,
    connect_timeout: connectSecondsMax,
  });
  try {
    return await client.begin((tx) => migrateLocked(tx, migrations, now));
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** Migrates the schema within a transaction. */
export async function migrateLocked(
  tx: ISql,
  migrations: Migration[],
  now: number,
): Promise<Migrated> {
  await tx`SELECT pg_advisory_xact_lock(${migrationLock})`;
  await tx.unsafe(createVersionTable);
  const rows = await tx`SELECT max(version) AS version FROM chatd_schema`;
  const from = Number(rows[0]?.["version"] ?? 0);
  for (const migration of pending(migrations, from)) {
    for (const sql of migration.statements) await tx.unsafe(sql);
    await tx.unsafe(`${insertVersion} ($1, $2, $3)`, [migration.version, migration.name, now]);
  }
  return { from, to: migrations.at(-1)?.version ?? from };
}
