import { Database as SqliteFile, type Statement } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Database, DataState, Reader } from "./reader";
import type { Schema } from "./schema";

/**
 * Connections for reads: the writing connection while it has no transaction, and others.
 */
interface Sources {
  path: string;
  writer: SqliteFile;
  /** The writing connection for drizzle. */
  database: Database;
  schema: Schema;
  dataState: DataState;
  /**
   * Whether a read transaction on the writing connection sees everything that this state knows.
   */
  seesWhatIsKnown(): boolean;
  /** Whether a write is running. Code inside a write must not use readers outside of it. */
  isInWrite(): boolean;
  /** Whether writes wait for the writing connection. Then no snapshot may begin on it. */
  isWriteWaiting(): boolean;
}

export interface SqliteReading {
  reader: Reader;
  snapshot<T>(run: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Whether a snapshot is being read on the writing connection. Then a write must wait for the end
   * of that snapshot.
   */
  isOnWriter(): boolean;
  /**
   * Ends the read transaction on the writing connection, before a write begins its own transaction.
   */
  leaveWriter(): void;
  /** Resolves when the snapshot on the writing connection has ended. */
  leftWriter(): Promise<unknown>;
  /** Resolves when all requested snapshots have ended. */
  settled(): Promise<unknown>;
  close(): void;
}

/** A connection for one snapshot at a time. */
interface Lane {
  db: Database;
  begin: Statement;
  end: Statement;
}

const laneOf = (file: SqliteFile, db: Database): Lane => ({
  db,
  begin: file.prepare("BEGIN"),
  end: file.prepare("COMMIT"),
});

/**
 * The data state of a snapshot. It reads as of one moment, so the version that it reads stays valid
 * to its end.
 */
const momentOf = ({ engine }: DataState): DataState => ({
  engine,
  version: () => 0,
  changeOf: () => undefined,
});

/**
 * Opens readers. They use the writing connection, because its own commits keep its page cache up to
 * date. While a write has a transaction on it, they use other connections.
 */
export function openReading(sources: Sources): SqliteReading {
  const { path, writer, database, schema, dataState, seesWhatIsKnown, isInWrite, isWriteWaiting } =
    sources;
  const beside = openBeside(path);
  const warm = laneOf(writer, readOnly(database));
  const turn = openTurns(writer, warm, seesWhatIsKnown);
  let last: Promise<unknown> = Promise.resolve();
  let lastOnWriter: Promise<unknown> = Promise.resolve();
  const readerAt = (db: Database, dataState: DataState): Reader => ({
    db,
    t: schema,
    dialect: "sqlite",
    dataState,
    moment: new Map(),
  });
  async function inSnapshot<T>(run: (reader: Reader) => Promise<T>): Promise<T> {
    const apart = momentOf(dataState);
    if (turn.isFree() && !isWriteWaiting()) {
      const held = turn.hold((isKnown) => run(readerAt(warm.db, isKnown ? dataState : apart)));
      lastOnWriter = held.catch(() => undefined);
      return held;
    }
    beside.begin.run();
    try {
      return await run(readerAt(beside.db, apart));
    } finally {
      beside.end.run();
    }
  }
  return {
    reader: {
      t: schema,
      dialect: "sqlite",
      dataState,
      get db() {
        if (isInWrite()) throw new Error("Inside a write, read with its transaction.");
        if (!turn.isFree()) return beside.single;
        turn.begin();
        return warm.db;
      },
    },
    snapshot(run) {
      const result = last.then(() => inSnapshot(run));
      last = result.catch(() => undefined);
      return result;
    },
    isOnWriter: () => turn.isHeld(),
    leaveWriter: () => turn.end(),
    leftWriter: () => lastOnWriter,
    settled: () => last,
    close() {
      turn.end();
      beside.close();
    },
  };
}

/**
 * Lets all reads on the writing connection in one turn of the event loop share one transaction,
 * because a single statement spends most of its time locking and unlocking the file. The
 * transaction sees everything that was committed when the turn began, and the requests of this turn
 * were sent before that. A write of this process ends the transaction first.
 */
function openTurns(writer: SqliteFile, { begin, end }: Lane, seesWhatIsKnown: () => boolean) {
  let isOpen = false;
  let isHeld = false;
  let isOfEarlierTurn = false;
  let isKnown: boolean | undefined;
  const close = () => {
    if (isOpen && writer.inTransaction) end.run();
    isOpen = false;
    isOfEarlierTurn = false;
    isKnown = undefined;
  };
  const over = () => {
    isOfEarlierTurn = isHeld;
    if (isHeld) setImmediate(over);
    else close();
  };
  const open = () => {
    if (isOpen) return;
    begin.run();
    isOpen = true;
    setImmediate(over);
  };
  return {
    /** Whether no write has a transaction on the connection. */
    isFree: () => isOpen || !writer.inTransaction,
    isHeld: () => isHeld,
    begin: open,
    end: close,
    /**
     * Keeps the transaction open while `run` reads in it. `isKnown` says whether the transaction
     * sees everything that this state knows.
     */
    async hold<T>(run: (isKnown: boolean) => Promise<T>): Promise<T> {
      open();
      isHeld = true;
      try {
        isKnown ??= seesWhatIsKnown();
        return await run(isKnown);
      } finally {
        isHeld = false;
        // Requests that come in this turn may have been sent after it began.
        if (isOfEarlierTurn) close();
      }
    },
  };
}

/**
 * Connections that only read, for snapshots and for single reads: a snapshot may be older than
 * commits that single reads have to see.
 */
function openBeside(path: string): Lane & { single: Database; close(): void } {
  const [file, singleFile] = [openReadOnly(path), openReadOnly(path)];
  const close = () => {
    file.close();
    singleFile.close();
  };
  return { ...laneOf(file, drizzle(file)), single: drizzle(singleFile), close };
}

function openReadOnly(path: string): SqliteFile {
  const file = new SqliteFile(path, { readonly: true });
  file.run("PRAGMA query_only = 1");
  file.run("PRAGMA busy_timeout = 100");
  return file;
}

const changing = new Set<string | symbol>(["insert", "update", "delete", "transaction", "run"]);

/** View of a database without the methods that change it. */
function readOnly(db: Database): Database {
  return new Proxy(db, {
    get(target, name, receiver) {
      if (changing.has(name))
        throw new Error("This reader is readonly: data is changed in a write.");
      return Reflect.get(target, name, receiver);
    },
  });
}
