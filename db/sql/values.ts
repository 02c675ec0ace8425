import { type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Dialect } from "../schema";

/**
 * An integer that is not compared with a column. PostgreSQL needs its type. On SQLite it has none,
 * because SQLite uses no index for a value that it has to convert.
 */
export const wholeNumber = (dialect: Dialect, value: Placeholder<string, number>): SQL =>
  dialect === "sqlite" ? sql`${value}` : sql`${value}::bigint`;

/** The bytes of a column in hexadecimal, upper or lower case. */
export const hexOf = (dialect: Dialect, bytes: SQLWrapper): SQL =>
  dialect === "sqlite" ? sql`hex(${bytes})` : sql`encode(${bytes}, 'hex')`;
