import postgres from "postgres";
import { dropDatabase, freshDatabase } from "./postgres";
import { type ReusedConnections, reuseConnections } from "./reused-connections";

/**
 * A database with what the seed holds, for one world. To put a database back to that takes a
 * fraction of the time of making one, and its connections know the catalogs already.
 */
export interface LentDatabase {
  url: string;
  /**
   * Makes it the world's own, to be dropped at the end: for a test that connects to it itself, by
   * which anything may happen. Connections of earlier worlds are closed.
   */
  own(): void;
  giveBack(): Promise<void>;
}

/**
 * Worlds that use a database, one after the other. Rows that were deleted stay in its files, so
 * that it grows slower.
 */
const usesMax = 40;
const sizeBytesMax = 4 * 1024 ** 2;

interface Reused {
  url: string;
  sql: postgres.Sql;
  connections: ReusedConnections;
  useCount: number;
}

const free: Reused[] = [];

export async function lendDatabase(template: string): Promise<LentDatabase> {
  const database = free.pop() ?? (await makeDatabase(template));
  database.useCount += 1;
  let isOwn = false;
  let isLent = true;
  return {
    url: database.url,
    own() {
      if (isOwn) return;
      isOwn = true;
      database.connections.letGo();
      void database.sql.end();
    },
    async giveBack() {
      if (!isLent) return;
      isLent = false;
      if (!isOwn && (await putBack(database))) free.push(database);
      else await remove(database);
    },
  };
}

async function makeDatabase(template: string): Promise<Reused> {
  const url = await freshDatabase(template);
  const sql = postgres(url, { max: 1, onnotice: () => undefined, fetch_types: false });
  await sql.unsafe(prepareSql);
  return { url, sql, connections: reuseConnections(url), useCount: 0 };
}

async function remove({ url, sql, connections }: Reused) {
  connections.letGo();
  await sql.end();
  await dropDatabase(url);
}

/** Answers whether the database is as a fresh one. */
async function putBack({ sql, connections, useCount }: Reused): Promise<boolean> {
  if (useCount >= usesMax) return false;
  await connections.settled();
  const [row] = await sql`SELECT pg_temp.put_back() AS size`;
  return row !== undefined && row["size"] !== null && Number(row["size"]) < sizeBytesMax;
}

/**
 * Notes in temporary tables what a fresh database holds, and makes the function that puts it back.
 * It answers with the size of the tables, or with nothing where the schema is another one.
 */
const prepareSql = `
SET session_replication_role = replica;
DO $prepare$
DECLARE
  tables text[] := ARRAY(SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname);
  sequences text[] := ARRAY(SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace ORDER BY relname);
  steps text := '';
  name text;
  columns text;
  is_seeded boolean;
  next_value bigint;
  was_called boolean;
BEGIN
  FOREACH name IN ARRAY tables LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', name) INTO is_seeded;
    IF is_seeded THEN
      EXECUTE format('CREATE TEMP TABLE %I AS SELECT * FROM public.%I', 'seed_' || name, name);
      SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO columns FROM pg_attribute
        WHERE attrelid = format('public.%I', name)::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
      steps := steps || format('DELETE FROM public.%1$I; INSERT INTO public.%1$I (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM pg_temp.%3$I;',
        name, columns, 'seed_' || name);
    ELSE
      steps := steps || format('IF EXISTS (SELECT FROM public.%1$I) THEN DELETE FROM public.%1$I; END IF;', name);
    END IF;
  END LOOP;
  FOREACH name IN ARRAY sequences LOOP
    EXECUTE format('SELECT last_value, is_called FROM public.%I', name) INTO next_value, was_called;
    steps := steps || format('PERFORM setval(%L, %s, %L);', 'public.' || quote_ident(name), next_value, was_called);
  END LOOP;
  EXECUTE format($make$CREATE FUNCTION pg_temp.put_back() RETURNS bigint LANGUAGE plpgsql AS $body$
    BEGIN
      IF %s <> (SELECT count(*) + max(oid)::bigint FROM pg_class WHERE relnamespace = 'public'::regnamespace) THEN RETURN NULL; END IF;
      %s
      RETURN (SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace);
    END $body$ $make$,
    (SELECT count(*) + max(oid)::bigint FROM pg_class WHERE relnamespace = 'public'::regnamespace), steps);
END $prepare$`;
