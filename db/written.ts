import { getTableName, is, Table } from "drizzle-orm";
import type { Database } from "./reader";
import { findTraits } from "./schema/traits";

/** A table that a statement changes. */
export interface Change {
  table: string;
  /** Whether the realm's log must note it, because results from the table may be cached. */
  isTold: boolean;
}

function changeOf(verb: string, table: unknown): Change {
  // A target that is no table of ours may be any table.
  if (!is(table, Table)) return { table: "", isTold: false };
  const name = getTableName(table);
  // Nobody caches data of a deleted organization.
  const isGone = name === "realms" && verb === "delete";
  const changes = findTraits(table)?.changes ?? "told";
  const isTold = changes === "told" || (changes === "toldUnlessNew" && verb !== "insert");
  return { table: name, isTold: isTold && !isGone };
}

const isVerb = (name: string | symbol): name is "insert" | "update" | "delete" =>
  name === "insert" || name === "update" || name === "delete";

/** Database that reports each table before it is changed. */
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
