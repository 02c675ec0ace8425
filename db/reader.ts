import type { Database as SqliteFile } from "bun:sqlite";
import { type Placeholder, sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Sql } from "postgres";
import { type Change, noteWrites } from "./logged-changes";
import { runnerOf as postgresRunnerOf } from "./postgres-statement";
import { quicken } from "./row-mapper";
import type { Dialect, Schema } from "./schema";
import { runnerOf as sqliteRunnerOf } from "./sqlite-statement";

/**
 * A drizzle database of either engine. Use only awaited builders and `.returning()`, because other
 * forms do not run on both engines.
 */
export type Database = BunSQLiteDatabase;

/**
 * The state of the data that a reader outside a write sees. Results that are computed from the data
 * are cached, and used by those readers that see a state for which the results are valid.
 */
export interface DataState {
  /** One object for all readers of an engine, by which caches find the engine. */
  readonly engine: object;
  /**
   * A number that changes with each known change of the data; undefined where only a query can tell
   * whether the data has changed.
   */
  version(): number | undefined;
  /**
   * The version of the last change of one of these tables, by any process, until the current
   * request; undefined where only a query can tell.
   */
  changeOf(tables: readonly string[]): number | undefined;
}

/**
 * The state of its realm's data that a write sees. No other write changes the realm before this
 * write has ended.
 */
export interface WriteStandpoint {
  readonly engine: object;
  readonly realmId: number;
  /**
   * The newest id of the realm's log when the transaction began. On PostgreSQL it is a promise
   * until the database has answered.
   */
  readonly logHead: number | Promise<number>;
  /**
   * Whether the transaction has changed one of these tables so far. Rows that are noted
   * individually do not count.
   */
  hasChanged(tables: readonly string[]): boolean;
}

/**
 * Connection and tables for queries. Outside a write they cannot change data; inside a write they
 * belong to the write's transaction.
 */
export interface Reader {
  readonly db: Database;
  readonly t: Schema;
  readonly dialect: Dialect;
  /** Undefined inside a write. */
  readonly dataState?: DataState;
  /** Undefined outside a write. */
  readonly writeStandpoint?: WriteStandpoint;
  /** Answers so far, by query, for a reader of a snapshot, which reads all as of one moment. */
  readonly moment?: Map<string, PromiseLike<unknown>>;
  /** Inside a write: called for each table that a prepared statement changes. */
  readonly noteWrite?: (change: Change) => void;
  /**
   * Inside a write that may emit events: runs a function once the write is on disk. It does not run
   * if the write is rolled back.
   */
  readonly afterCommit?: (run: () => void) => void;
}

/** A value that is computed once for all callers that read as of one moment. */
export function onceAsOf<T>(
  { moment }: Reader,
  key: string,
  read: () => PromiseLike<T>,
): PromiseLike<T> {
  const earlier = moment?.get(key);
  if (earlier) return earlier as PromiseLike<T>;
  const found = read();
  moment?.set(key, found);
  return found;
}

interface Prepared<Row> {
  execute(values?: Record<string, unknown>): PromiseLike<Row>;
}

interface Preparable<Row> {
  prepare(name?: string): Prepared<Row>;
}

interface Built<Row> {
  run(values: Record<string, unknown>): PromiseLike<Row>;
  changes: Change[];
}

/** Placeholders of a query, by the names of their values. An undeclared name does not compile. */
export type Given<Values> = {
  readonly [Name in keyof Values]-?: Placeholder<Name & string, Values[Name]>;
};

/** Placeholders whose names end with a number. */
export type NumberedGiven<Values> = {
  readonly [Name in keyof Values]-?: Placeholder<`${Name & string}${number}`, Values[Name]>;
};

type Build<Values, Row> = (
  db: Database,
  t: Schema,
  given: Given<Values>,
  dialect: Dialect,
) => { prepare(): { execute(values?: Record<string, unknown>): unknown } } & PromiseLike<Row>;

/** Runs a query with its declared values, if it has any. */
type Run<Values, Row> = (
  reader: Reader,
  ...values: keyof Values extends never ? [] : [values: Values]
) => PromiseLike<Row>;

/** The part of a statement's changes that the realm's log notes. */
interface ChangeLogging<Values> {
  /** False where the log has separate entries for the changed rows. */
  isLogged?: boolean;
  /** The ids of all rows that may change with some values, so that no others count as changed. */
  rowsOf?(values: Values): readonly number[];
}

let statementCount = 0;

/**
 * Placeholders for every name, with an ending added to the name. Types declare which names are
 * allowed.
 */
const placeholdersWith = (ending: string): object =>
  new Proxy({}, { get: (_, name) => sql.placeholder(`${String(name)}${ending}`) });

const everyPlaceholder = placeholdersWith("");

/**
 * Placeholders for one part of a query whose parts use equal names. The number of the part is added
 * to each name.
 */
export const numberedPlaceholders = <Values extends object>(number: number) =>
  placeholdersWith(String(number)) as NumberedGiven<Values>;

/**
 * A query that is built once, prepared once per connection, and then run with the values of its
 * placeholders. The type of `given` declares these values, `(db, t, given: Given<{ realmId: number
 * }>) => …`, and a placeholder is `given.realmId`. An unprepared drizzle query costs 6 to 11 times
 * as much.
 */
export function statement<Row, Values extends object = Record<never, never>>(
  build: Build<Values, Row>,
  { isLogged = true, rowsOf }: ChangeLogging<Values> = {},
): Run<Values, Row> {
  const name = `s${++statementCount}`;
  const prepared = new WeakMap<Database, Built<Row>>();
  const anywhere = new Map<Dialect, Anywhere>();
  function builtFor(reader: Reader): Built<Row> {
    const { db, dialect } = reader;
    const built = anywhere.get(dialect);
    if (built) return builtOn(db, built);
    const changes: Change[] = [];
    const noting = noteWrites(db, (change) =>
      changes.push({ ...change, isLogged: isLogged && change.isLogged }),
    );
    const query = queryOf(build, noting, reader, name);
    const runOn = runOnEach(dialect, query);
    if (!runOn) return { run: (values) => query.execute(values), changes };
    anywhere.set(dialect, { runOn, changes });
    return builtOn(db, { runOn, changes });
  }
  const run = (reader: Reader, values = {} as Values & Record<string, unknown>) => {
    const { db } = reader;
    let built = prepared.get(db);
    if (!built) {
      built = builtFor(reader);
      prepared.set(db, built);
    }
    if (reader.noteWrite)
      for (const change of built.changes)
        reader.noteWrite(rowsOf ? { ...change, rows: rowsOf(values) } : change);
    return built.run(values);
  };
  return run as Run<Values, Row>;
}

/**
 * A query that runs on any connection of an engine. It is kept, because building it takes longer
 * than running it.
 */
interface Anywhere {
  runOn(db: Database): (values: Record<string, unknown>) => Promise<unknown>;
  changes: Change[];
}

/** Makes the function that runs a query; undefined for queries that only drizzle can run. */
function runOnEach(dialect: Dialect, query: unknown): Anywhere["runOn"] | undefined {
  if (dialect === "postgres") {
    const runOn = postgresRunnerOf(query);
    return runOn && ((db) => (values) => runOn(clientOf<Sql>(db), values));
  }
  const runOn = sqliteRunnerOf(query);
  return (
    runOn &&
    ((db) => {
      const run = runOn(clientOf<SqliteFile>(db));
      return async (values) => run(values);
    })
  );
}

const clientOf = <Client>(db: Database) => (db as unknown as { $client: Client }).$client;

const builtOn = <Row>(db: Database, { runOn, changes }: Anywhere): Built<Row> => ({
  run: runOn(db) as Built<Row>["run"],
  changes,
});

const queryOf = <Values, Row>(
  build: Build<Values, Row>,
  db: Database,
  { t, dialect }: Reader,
  name?: string,
) =>
  quicken(
    (
      build(db, t, everyPlaceholder as Given<Values>, dialect) as unknown as Preparable<Row>
    ).prepare(name),
  );

/**
 * Queries in many forms, each of which has a text as its name. The first forms are prepared as by
 * `statement`. Beyond `formsMax` forms a query is built each time, because connections keep
 * prepared statements.
 */
export function statements<Values extends object, Row>(
  formsMax: number,
  logging?: ChangeLogging<Values>,
): (form: string, build: Build<Values, Row>) => Run<Values, Row> {
  const prepared = new Map<string, Run<Values, Row>>();
  return (form, build) => {
    const found = prepared.get(form);
    if (found) return found;
    if (prepared.size >= formsMax)
      return (reader, ...[values = {}]) => queryOf(build, reader.db, reader).execute(values);
    const run = statement<Row, Values>(build, logging);
    prepared.set(form, run);
    return run;
  };
}
