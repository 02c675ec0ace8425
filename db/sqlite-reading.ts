import { Database as SqliteFile, type Statement } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Database, Reader, Standpoint } from "./reader";
import type { Schema } from "./schema";

/** What is read from: the writing connection as long as it has no transaction, and one beside it. */
interface Sources {
  path: string;
  writer: SqliteFile;
  /** The writing connection as drizzle sees it. */
  database: Database;
  schema: Schema;
  standpoint: Standpoint;
  /** Whether the writing connection, in a transaction that was begun for reading, sees what the standpoint knows of. */
  seesWhatIsKnown(): boolean;
  /** Whether a write is being run: outside readers must not be used from inside it. */
  isInWrite(): boolean;
}

export interface SqliteReading {
  reader: Reader;
  snapshot<T>(run: (reader: Reader) => Promise<T>): Promise<T>;
  /** Whether a snapshot is being read on the writing connection: a write must wait for its end. */
  isOnWriter(): boolean;
  /** Resolves when the snapshots that were asked for are over. */
  settled(): Promise<unknown>;
  close(): void;
}

/** A connection on which one snapshot is read at a time. */
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
 * Reads go to the writing connection, whose page cache its own commits leave warm (5 µs a statement, where another
 * connection takes 60 after each commit); while it is in a transaction they go to another one.
 */
export function openReading(sources: Sources): SqliteReading {
  const { path, writer, database, schema, standpoint, seesWhatIsKnown, isInWrite } = sources;
  const besideFile = openBeside(path);
  const beside = drizzle(besideFile);
  const warm = readOnly(database);
  const lanes = { warm: laneOf(writer, warm), beside: laneOf(besideFile, beside) };
  let last: Promise<unknown> = Promise.resolve();
  let current: Lane | undefined;
  async function inSnapshot<T>(run: (reader: Reader) => Promise<T>): Promise<T> {
    const lane = writer.inTransaction ? lanes.beside : lanes.warm;
    lane.begin.run();
    current = lane;
    try {
      // It sees one moment, so that what it reads of the data's version holds to its end.
      const apart: Standpoint = { engine: standpoint.engine, version: () => 0, changeOf: () => undefined };
      const here = lane === lanes.warm && seesWhatIsKnown() ? standpoint : apart;
      return await run({ db: lane.db, t: schema, dialect: "sqlite", standpoint: here });
    } finally {
      current = undefined;
      lane.end.run();
    }
  }
  return {
    reader: {
      t: schema,
      dialect: "sqlite",
      standpoint,
      get db() {
        if (isInWrite()) throw new Error("Inside a write, read with its transaction.");
        return writer.inTransaction ? beside : warm;
      },
    },
    snapshot(run) {
      const result = last.then(() => inSnapshot(run));
      last = result.catch(() => undefined);
      return result;
    },
    isOnWriter: () => current === lanes.warm,
    settled: () => last,
    close: () => besideFile.close(),
  };
}

function openBeside(path: string): SqliteFile {
  const file = new SqliteFile(path, { readonly: true });
  file.run("PRAGMA query_only = 1");
  file.run("PRAGMA busy_timeout = 100");
  return file;
}

const changing = new Set<string | symbol>(["insert", "update", "delete", "transaction", "run"]);

/** The same database without what changes it. */
function readOnly(db: Database): Database {
  return new Proxy(db, {
    get(target, name, receiver) {
      if (changing.has(name)) throw new Error("This reader is readonly: data is changed in a write.");
      return Reflect.get(target, name, receiver);
    },
  });
}
