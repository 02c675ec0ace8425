import postgres, { type ISql } from "postgres";
import {
  createVersionTable,
  DataInUseError,
  insertVersion,
  type Migrated,
  type Migration,
  type MigrationRight,
  pending,
  requireRight,
} from "./migrate";
import { connectSecondsMax } from "./postgres-client";

/** An arbitrary number that is equal in every process that migrates. */
const migrationLock = 7_216_115;

/** For so long a migration waits for commands that end soon. */
const othersMilliseconds = 1_000;
const othersStepMilliseconds = 200;

/**
 * Migrates a PostgreSQL database to the newest schema: all steps in one transaction under a lock.
 * Refuses while other servers or commands are connected, and what `right` does not allow. `now` is
 * UNIX seconds.
 */
export async function migratePostgres(
  url: string,
  migrations: Migration[],
  now: number,
  right: MigrationRight = "all",
): Promise<Migrated> {
  const client = postgres(url, {
    max: 1,
    onnotice: () => undefined,
    fetch_types: false,
    connect_timeout: connectSecondsMax,
  });
  try {
    for (let waited = 0; ; waited += othersStepMilliseconds) {
      try {
        return await client.begin((tx) => migrateLocked(tx, migrations, now, right));
      } catch (error) {
        if (!(error instanceof DataInUseError) || waited >= othersMilliseconds) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, othersStepMilliseconds));
    }
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** Migrates the schema within a transaction. */
export async function migrateLocked(
  tx: ISql,
  migrations: Migration[],
  now: number,
  right: MigrationRight = "of-new-data",
): Promise<Migrated> {
  await tx`SELECT pg_advisory_xact_lock(${migrationLock})`;
  await tx.unsafe(createVersionTable);
  const rows = await tx`SELECT max(version) AS version FROM chatd_schema`;
  const from = Number(rows[0]?.["version"] ?? 0);
  requireRight(right, from, migrations);
  const isOld = from > 0 && pending(migrations, from).length > 0;
  if (isOld && (await isPostgresBusy(tx))) throw new DataInUseError();
  for (const migration of pending(migrations, from)) {
    for (const sql of migration.statements) await tx.unsafe(sql);
    await tx.unsafe(`${insertVersion} ($1, $2, $3)`, [migration.version, migration.name, now]);
  }
  return { from, to: migrations.at(-1)?.version ?? from };
}

/** Whether servers or commands are connected. */
export async function isPostgresBusy(sql: ISql): Promise<boolean> {
  const rows = await sql`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'chatd' AND pid <> pg_backend_pid() LIMIT 1`;
  return rows.length > 0;
}
