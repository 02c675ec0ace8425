/** Is told of the work of a database, by somebody who measures it. Durations are milliseconds. */
export interface EngineMeter {
  /** Milliseconds of a clock that only measures how long something takes. */
  milliseconds(): number;
  /** So many writes are on disk together. */
  committed(group: { writes: number; milliseconds: number; commitMilliseconds: number }): void;
  /** A part of SQLite's log was written back to its database. */
  wroteBack(milliseconds: number): void;
}

/** A group of writes that is measured from its first statement on. */
export interface MeasuredGroup {
  /** Its COMMIT begins, which waits for the disk. */
  committing(): void;
  committed(writes: number): void;
}

/** Begins to measure a group of writes; undefined where nobody measures. */
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

/** The connections of a node to PostgreSQL that are for one kind of work. */
export interface PoolFigures {
  name: "read" | "begin" | "snapshot" | "write";
  connectionsMax: number;
  /** Undefined where the client does not tell. */
  inUse: number | undefined;
  /** Number of callers that wait for a connection. */
  waiting: number | undefined;
}

/** State of a database at a moment. */
export interface EngineFigures {
  writesWaiting: number;
  /** Sizes in bytes of the database and of its log, where they are files of this machine. */
  files: { databaseBytes: number; logBytes: number } | undefined;
  pools: readonly PoolFigures[];
}
