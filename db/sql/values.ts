import { type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Dialect } from "../schema";

/**
 * A whole number that stands in no comparison with a column: PostgreSQL must be told what it is
 * there. SQLite is not, because it would not use an index for a value that it has to convert.
 */
export const wholeNumber = (dialect: Dialect, value: Placeholder<string, number>): SQL =>
  dialect === "sqlite" ? sql`${value}` : sql`${value}::bigint`;

/** The bytes of a column in hexadecimal, in either case of letters. */
export const hexOf = (dialect: Dialect, bytes: SQLWrapper): SQL =>
  dialect === "sqlite" ? sql`hex(${bytes})` : sql`encode(${bytes}, 'hex')`;
