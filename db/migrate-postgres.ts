import { rmSync } from "node:fs";
import postgres, { type ISql, type Row } from "postgres";
import {
  createVersionTable,
  DataInUseError,
  factsOf,
  factsQuery,
  insertVersion,
  type Migrated,
  type Migration,
  type MigrationTerms,
  pending,
  requireRight,
} from "./migrate";
import { connectSecondsMax, encodingQuery, wayTo, whyUnfit } from "./postgres-client";
import { atWorkLock, migrationLock } from "./postgres-locks";

/** Milliseconds for which a migration waits for commands, because most commands end soon. */
const othersMilliseconds = 1_000;
const othersStepMilliseconds = 200;

/** Options of a migration. */
interface Migrating extends MigrationTerms {
  /** Copies the data before it is migrated; answers the path of the copy. */
  copy?: () => Promise<string>;
}

/**
 * Migrates a PostgreSQL database to the newest schema, in one transaction under a lock. Refuses
 * while other servers or commands are connected, and where `right` does not allow it. `now` is UNIX
 * seconds.
 */
export async function migratePostgres(
  url: string,
  migrations: Migration[],
  now: number,
  { right = "all", ...options }: Migrating = {},
): Promise<Migrated> {
  const client = postgres(url, {
    ...wayTo(url),
    max: 1,
    onnotice: () => undefined,
    fetch_types: false,
    connect_timeout: connectSecondsMax,
  });
  try {
    for (let waited = 0; ; waited += othersStepMilliseconds) {
      try {
        return await client.begin((tx) =>
          migrateLocked(tx, migrations, now, { right, ...options }),
        );
      } catch (error) {
        if (!(error instanceof DataInUseError) || waited >= othersMilliseconds) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, othersStepMilliseconds));
    }
  } finally {
    await client.end({ timeout: 5 });
  }
}

const takeLock = `SELECT pg_advisory_xact_lock(${migrationLock})`;
const findVersion = "SELECT max(version) AS version FROM chatd_schema";

/** Statements without values, as one message, because each message is a round trip. */
const inOneMessage = (statements: readonly string[]) => statements.join("\n;\n");

/** Migrates the schema within a transaction. */
export async function migrateLocked(
  tx: ISql,
  migrations: Migration[],
  now: number,
  { right = "of-new-data", requireOwn, copy }: Migrating = {},
): Promise<Migrated> {
  const answers: Row[][] = await tx.unsafe(
    inOneMessage([takeLock, createVersionTable, findVersion]),
  );
  const from = Number(answers.at(-1)?.[0]?.["version"] ?? 0);
  const isOld = from > 0 && pending(migrations, from).length > 0;
  if (isOld && requireOwn) requireOwn(factsOf(await tx.unsafe(factsQuery)));
  requireRight(right, from, migrations);
  if (from === 0) await requireUnicode(tx);
  if (isOld && (await isPostgresBusy(tx))) throw new DataInUseError();
  const path = isOld ? await copyFirst(tx, copy) : undefined;
  try {
    await carryOut(tx, pending(migrations, from), now);
  } catch (error) {
    // The copy is removed, because the data has not changed and each further start would make one
    // more copy.
    if (path !== undefined) rmSync(path, { force: true });
    throw error;
  }
  return { from, to: migrations.at(-1)?.version ?? from, copy: path };
}

/** Refuses to make tables that could not hold all texts. */
async function requireUnicode(tx: ISql) {
  const why = whyUnfit(await tx.unsafe(encodingQuery));
  if (why !== undefined) throw new Error(`This database cannot be used: ${why}`);
}

async function carryOut(tx: ISql, steps: Migration[], now: number) {
  for (const { version, name, statements } of steps) {
    await tx.unsafe(inOneMessage(statements));
    await tx.unsafe(`${insertVersion} ($1, $2, $3)`, [version, name, now]);
  }
}

/**
 * Copies the data. The session has no time limit meanwhile, because other processes wait at the
 * lock until the rows are copied, however long that takes.
 */
async function copyFirst(tx: ISql, copy: Migrating["copy"]): Promise<string | undefined> {
  if (copy === undefined) return undefined;
  await tx`SET LOCAL idle_in_transaction_session_timeout = 0`;
  return copy();
}

/**
 * Whether servers or commands are connected. Earlier versions do not take the lock, so they are
 * recognized by the name of their sessions.
 */
export async function isPostgresBusy(sql: ISql): Promise<boolean> {
  const rows = await sql`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND (application_name = 'chatd'
      OR pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = ${atWorkLock}))
    LIMIT 1`;
  return rows.length > 0;
}
