import type { EngineFigures } from "./measure";
import type { Connections } from "./postgres-client";
import type { Lanes } from "./postgres-transactions";

interface Measured {
  queues: ReadonlyMap<number, { jobs: readonly unknown[] }>;
  writers: Lanes;
  snapshots: Lanes;
  /** Highest numbers of connections for reads. */
  readersMax: { read: number; quick: number };
}

/**
 * State of a node's connections. For reads, the client tells only the highest number of
 * connections.
 */
export function figuresOf({ queues, writers, snapshots, readersMax }: Measured): EngineFigures {
  const unknown = { inUse: undefined, waiting: undefined };
  return {
    writesWaiting: [...queues.values()].reduce((sum, { jobs }) => sum + jobs.length, 0),
    files: undefined,
    pools: [
      { name: "read", connectionsMax: readersMax.read, ...unknown },
      { name: "begin", connectionsMax: readersMax.quick, ...unknown },
      { name: "snapshot", ...snapshots.figures() },
      { name: "write", ...writers.figures() },
    ],
  };
}

/** The time of PostgreSQL's own clock (UNIX milliseconds). */
export async function readClock({ client }: Connections): Promise<number> {
  const [row] = await client.unsafe(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now",
  );
  return Number(row?.["now"]);
}

/** Number of rows from which on a bad plan takes noticeably longer. */
const largeTableRows = 50_000;

/**
 * Names of large tables most of whose rows changed since the last `ANALYZE`. Autovacuum analyzes a
 * table after a fifth of that, within a minute or so, unless it is off or cannot keep up.
 */
export async function listStaleStatistics({ client }: Connections): Promise<string[]> {
  const rows = await client.unsafe(
    `SELECT relname FROM pg_stat_user_tables
     WHERE schemaname = current_schema() AND n_live_tup > ${largeTableRows}
       AND n_mod_since_analyze > n_live_tup / 2
     ORDER BY relname`,
  );
  return rows.map((row) => String(row["relname"]));
}
