import { getTableName, is, Table } from "drizzle-orm";
import type { Database } from "./reader";
import { findTraits } from "./schema/traits";

/** A table that a statement changes. */
export interface Change {
  table: string;
  /** Whether the realm's log must note the change, because results from the table may be cached. */
  isLogged: boolean;
  /** The ids of all rows that the statement may change; undefined where they are not known. */
  rows?: readonly number[];
}

/** Ids of changed rows of a table; undefined where others may have changed, too. */
type ChangedRows = Set<number> | undefined;

/** The changes of a write that the realm's log must note, by table. */
export class LoggedChanges {
  readonly tables = new Map<string, ChangedRows>();

  note({ table, rows }: Change) {
    if (!rows) this.tables.set(table, undefined);
    else if (!this.tables.has(table)) this.tables.set(table, new Set(rows));
    else for (const id of rows) this.tables.get(table)?.add(id);
  }
}

function changeOf(verb: string, table: unknown): Change {
  // A target that is not one of our tables may stand for any table.
  if (!is(table, Table)) return { table: "", isLogged: false };
  const name = getTableName(table);
  // Results of a deleted organization are not cached.
  const isGone = name === "realms" && verb === "delete";
  const changes = findTraits(table)?.changes ?? "logged";
  const isLogged = changes === "logged" || (changes === "loggedUnlessNew" && verb !== "insert");
  return { table: name, isLogged: isLogged && !isGone };
}

const isVerb = (name: string | symbol): name is "insert" | "update" | "delete" =>
  name === "insert" || name === "update" || name === "delete";

/** The databases of those that `noteWrites` has made. */
const plain = new WeakMap<Database, Database>();

/**
 * A database that reports each table before a statement changes it, to `note` alone: a database
 * that reports to others does not do so any more.
 */
export function noteWrites(reporting: Database, note: (change: Change) => void): Database {
  const db = plain.get(reporting) ?? reporting;
  const noting = new Proxy(db, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (!isVerb(name) || typeof value !== "function") return value;
      return (table: unknown) => {
        note(changeOf(name, table));
        return value.call(target, table);
      };
    },
  });
  plain.set(noting, db);
  return noting;
}
