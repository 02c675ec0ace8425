import type { Statement } from "bun:sqlite";
import { Column, is } from "drizzle-orm";
import { type PreparedOnSqlite, sqliteInside } from "./drizzle-internals";
import { fillOf, type Values } from "./placeholders";

/** A value for bun:sqlite. */
type Bound = string | number | bigint | boolean | null | Uint8Array;

type Prepared = PreparedOnSqlite<Statement<unknown, Bound[]>>;

/**
 * SQLite plans a statement again for each bound value that its plan may depend on: a value compared
 * with a column where rows are joined or sorted, or a limit. Planning takes 10 to 100 times as long
 * as a look-up. Values within expressions do not count.
 */
function plannedOnce(text: string): string {
  const parts = text.split(/('(?:[^']|'')*'|"(?:[^"]|"")*")/);
  const hideValues = (part: string) =>
    part.replace(/ = \?/g, " = +?").replace(/\b(limit|offset) \?/gi, "$1 ?+0");
  return parts.map((part, i) => (i % 2 === 0 ? hideValues(part) : part)).join("");
}

/** SQLite gives the id of a new row without RETURNING, which takes more than twice as long. */
const returnedId = / returning "id"$/;

/** Whether a query adds a row and returns only its id, which SQLite assigns. */
function givesNewId({ query, fields }: Prepared): boolean {
  if (
    !/^insert into .*\) values \([^()]*\) returning "id"$/s.test(query.sql) ||
    fields?.length !== 1
  )
    return false;
  const field = fields[0]?.field;
  return is(field, Column) && field.primary && field.getSQLType() === "integer";
}

/**
 * Runs a prepared query of drizzle on SQLite, with drizzle's parameters and rows, in a tenth of its
 * time, because drizzle computes known facts again at each run. Undefined for forms that only
 * drizzle can run. `prepare` makes a statement of the connection.
 */
export function quickRun(
  prepared: unknown,
  prepare: (sql: string) => Statement<unknown, Bound[]>,
): ((values: Values) => unknown) | undefined {
  const query: Prepared = sqliteInside(prepared);
  const { executeMethod, customResultMapper } = query;
  const fills = query.query.params.map(fillOf);
  const fill = (values: Values) => {
    const bound: Bound[] = [];
    for (const one of fills) bound.push(one(values) as Bound);
    return bound;
  };
  if (executeMethod !== "run" && !(executeMethod === "all" && customResultMapper)) return undefined;
  query.stmt.finalize();
  const [selected] = query.fields ?? [];
  if (selected && givesNewId(query)) {
    const insert = prepare(query.query.sql.replace(returnedId, ""));
    const name = selected.path[0] ?? "";
    return (values) => [{ [name]: Number(insert.run(...fill(values)).lastInsertRowid) }];
  }
  const stmt = prepare(plannedOnce(query.query.sql));
  if (executeMethod === "run" || !customResultMapper) return (values) => stmt.run(...fill(values));
  return (values) => customResultMapper(stmt.values(...fill(values)));
}
