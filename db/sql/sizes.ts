import { type SQL, sql } from "drizzle-orm";
import type { Reader } from "../reader";

/** Sizes in bytes on the disk. They may be approximate. */
interface DatabaseSizes {
  database: number;
  searchIndex: number;
}

/**
 * Number of pages of the FTS5 index. It is computed from the first and the last page of each
 * segment of the index, because counting the pages would read all of them. A page has about `pgsz`
 * bytes, and its id contains the number of its segment above the lowest 37 bits
 * (https://sqlite.org/fts5.html, `fts5_index.c`).
 */
const indexPages = sql`(
  with recursive segments(n) as (select 1 union all select n + 1 from segments where n < 2000)
  select coalesce(sum(
    (select max(id) from message_words_data where id between n << 37 and (n << 37) + 2147483647) -
    (select min(id) from message_words_data where id between n << 37 and (n << 37) + 2147483647) + 1
  ), 0) from segments)`;

const ofSqlite = {
  database: sql`(select page_count from pragma_page_count()) * (select page_size from pragma_page_size())`,
  searchIndex: sql`${indexPages} * 4050`,
};

const ofPostgres = {
  database: sql`pg_database_size(current_database())`,
  searchIndex: sql`pg_total_relation_size('message_words')`,
};

/** Sizes of the whole database and of the search index in it. Neither is read for this. */
export async function readSizes({ db, dialect }: Reader): Promise<DatabaseSizes> {
  const { database, searchIndex } = dialect === "sqlite" ? ofSqlite : ofPostgres;
  const asNumber = (bytes: SQL) => sql<number>`${bytes}`.mapWith(Number);
  const [sizes] = await db
    .select({ database: asNumber(database), searchIndex: asNumber(searchIndex) })
    .from(sql`(select 1) as one`);
  return sizes ?? { database: 0, searchIndex: 0 };
}
