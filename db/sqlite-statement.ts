import type { Database, Statement } from "bun:sqlite";
import { Column, is } from "drizzle-orm";
import { type PreparedOnSqlite, sqliteInside } from "./drizzle-internals";
import { fillOf, type Values } from "./placeholders";

/** A value for bun:sqlite. */
type Bound = string | number | bigint | boolean | null | Uint8Array;

type Prepared = PreparedOnSqlite<Statement<unknown, Bound[]>>;

/**
 * The text of a statement that SQLite plans only once. Otherwise SQLite plans a statement again for
 * each bound value that its plan may depend on: a value that is compared with a column where rows
 * are joined or sorted, or a limit. Planning takes 10 to 100 times as long as a look-up. Values
 * within expressions cause no new plan.
 */
function plannedOnce(text: string): string {
  const parts = text.split(/('(?:[^']|'')*'|"(?:[^"]|"")*")/);
  const hideValues = (part: string) =>
    part.replace(/ = \?/g, " = +?").replace(/\b(limit|offset) \?/gi, "$1 ?+0");
  return parts.map((part, i) => (i % 2 === 0 ? hideValues(part) : part)).join("");
}

/**
 * The end of a statement that returns only the id of a new row. It is removed, because SQLite gives
 * that id without RETURNING, which takes more than twice as long.
 */
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

/** Prepares a query on a connection, and answers a function that runs it there. */
export type RunOn = (client: Pick<Database, "prepare">) => (values: Values) => unknown;

/**
 * Runs a prepared query of drizzle on any connection to SQLite, with drizzle's parameters and rows,
 * in a tenth of the time that drizzle takes, because drizzle computes known facts again at each
 * run. Undefined for forms of queries that only drizzle can run.
 */
export function runnerOf(prepared: unknown): RunOn | undefined {
  const query: Prepared = sqliteInside(prepared);
  const { executeMethod, customResultMapper } = query;
  if (executeMethod !== "run" && !(executeMethod === "all" && customResultMapper)) return undefined;
  query.stmt.finalize();
  const fills = query.query.params.map(fillOf);
  const fill = (values: Values) => {
    const bound: Bound[] = [];
    for (const one of fills) bound.push(one(values) as Bound);
    return bound;
  };
  const [selected] = query.fields ?? [];
  if (selected && givesNewId(query)) {
    const text = query.query.sql.replace(returnedId, "");
    const name = selected.path[0] ?? "";
    return (client) => {
      const insert = client.prepare<unknown, Bound[]>(text);
      return (values) => [{ [name]: Number(insert.run(...fill(values)).lastInsertRowid) }];
    };
  }
  const text = plannedOnce(query.query.sql);
  const isRun = executeMethod === "run" || !customResultMapper;
  return (client) => {
    const stmt = client.prepare<unknown, Bound[]>(text);
    if (isRun) return (values) => stmt.run(...fill(values));
    return (values) => customResultMapper(stmt.values(...fill(values)));
  };
}
