import { getTableName, is, Table } from "drizzle-orm";
import type { Database } from "./reader";
import { findTraits } from "./schema/traits";

/** A table that a statement changes. */
export interface Change {
  table: string;
  /** Whether the realm's log must note the change, because results from the table may be cached. */
  isTold: boolean;
}

function changeOf(verb: string, table: unknown): Change {
  // A target that is not one of our tables may stand for any table.
  if (!is(table, Table)) return { table: "", isTold: false };
  const name = getTableName(table);
  // Results of a deleted organization are not cached.
  const isGone = name === "realms" && verb === "delete";
  const changes = findTraits(table)?.changes ?? "told";
  const isTold = changes === "told" || (changes === "toldUnlessNew" && verb !== "insert");
  return { table: name, isTold: isTold && !isGone };
}

const isVerb = (name: string | symbol): name is "insert" | "update" | "delete" =>
  name === "insert" || name === "update" || name === "delete";

/** A database that reports each table before a statement changes it. */
export function noteWrites(db: Database, note: (change: Change) => void): Database {
  return new Proxy(db, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (!isVerb(name) || typeof value !== "function") return value;
      return (table: unknown) => {
        note(changeOf(name, table));
        return value.call(target, table);
      };
    },
  });
}
