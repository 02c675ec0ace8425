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
  const untold = { inUse: undefined, waiting: undefined };
  return {
    writesWaiting: [...queues.values()].reduce((sum, { jobs }) => sum + jobs.length, 0),
    files: undefined,
    pools: [
      { name: "read", connectionsMax: readersMax.read, ...untold },
      { name: "begin", connectionsMax: readersMax.quick, ...untold },
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
