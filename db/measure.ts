/** Callbacks for a caller who measures the work of a database. Durations are milliseconds. */
export interface EngineMeter {
  /** Milliseconds of a clock that only measures how long something takes. */
  milliseconds(): number;
  /** Called when a group of writes is on disk. */
  committed(group: { writes: number; milliseconds: number; commitMilliseconds: number }): void;
  /** Called when a part of SQLite's log was written back to its database. */
  wroteBack(milliseconds: number): void;
}

/** A group of writes that is measured from its first statement. */
interface MeasuredGroup {
  /** Called before the COMMIT of the group, which waits for the disk. */
  committing(): void;
  committed(writes: number): void;
}

/** Begins to measure a group of writes; answers undefined if nothing is measured. */
export function measureGroup(meter: EngineMeter | undefined): MeasuredGroup | undefined {
  if (meter === undefined) return undefined;
  const beganAt = meter.milliseconds();
  let committingAt = beganAt;
  return {
    committing() {
      committingAt = meter.milliseconds();
    },
    committed(writes) {
      const now = meter.milliseconds();
      const commitMilliseconds = now - committingAt;
      meter.committed({ writes, milliseconds: now - beganAt, commitMilliseconds });
    },
  };
}

/** A node's connections to PostgreSQL for one kind of work. */
export interface PoolFigures {
  name: "read" | "begin" | "snapshot" | "write";
  connectionsMax: number;
  /** Undefined where the client does not know it. */
  inUse: number | undefined;
  /** Number of callers that wait for a connection. */
  waiting: number | undefined;
}

/** State of a database at a moment. */
export interface EngineFigures {
  writesWaiting: number;
  /** Sizes in bytes of the database and of its log, if they are files of this machine. */
  files: { databaseBytes: number; logBytes: number } | undefined;
  pools: readonly PoolFigures[];
}
