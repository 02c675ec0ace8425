import postgres, { type Sql } from "postgres";
import type { DamageReport } from "./find-damage";
import { codeOf } from "./trouble";

const endSeconds = 5;
const notAllowed = "42501";
/**
 * Classes of PostgreSQL's error codes that mean damage: internal errors, among them damaged data
 * and indexes, and errors of its system, such as a file that is missing or cannot be read.
 */
const damageClasses = ["XX", "58"];

/**
 * Checks the B-tree indexes with PostgreSQL's own extension amcheck, if it is installed and the
 * role may use it. Its locks block neither reads nor writes. Throws where a check cannot be made,
 * for example because the connection ended.
 */
export async function findPostgresDamage(
  url: string,
  noteTable: (table: string) => void,
): Promise<DamageReport> {
  const client = postgres(url, {
    max: 1,
    onnotice: () => undefined,
    connection: { application_name: "chatd-check" },
  }) as unknown as Sql;
  try {
    return await checkIndexes(client, noteTable);
  } finally {
    await client.end({ timeout: endSeconds });
  }
}

async function checkIndexes(
  client: Sql,
  noteTable: (table: string) => void,
): Promise<DamageReport> {
  const findings: string[] = [];
  const [role] = await client<{ name: string }[]>`SELECT quote_ident(current_user) AS name`;
  const grant = `GRANT EXECUTE ON FUNCTION bt_index_check(regclass) TO ${role?.name}`;
  const [installed] = await client<{ schema: string }[]>`
    SELECT n.nspname AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'amcheck'`;
  if (!installed)
    return {
      findings,
      notLookedAt: `its extension amcheck is not installed. As a superuser: CREATE EXTENSION amcheck; ${grant}`,
    };
  // An invalid index is one whose building has failed. PostgreSQL does not read it.
  const indexes = await client<{ name: string; id: string }[]>`
    SELECT c.relname AS name, c.oid::text AS id FROM pg_class c JOIN pg_am a ON a.oid = c.relam
    JOIN pg_index i ON i.indexrelid = c.oid AND i.indisvalid
    WHERE a.amname = 'btree' AND c.relkind = 'i'
      AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
    ORDER BY c.relname`;
  for (const { name, id } of indexes) {
    noteTable(name);
    try {
      await client`SELECT ${client(installed.schema)}.bt_index_check(${id}::oid::regclass)`;
    } catch (error) {
      const code = codeOf(error) ?? "";
      if (code === notAllowed)
        return {
          findings,
          notLookedAt: `its role may not use the extension amcheck. As a superuser: ${grant}`,
        };
      if (!damageClasses.some((begin) => code.startsWith(begin))) throw error;
      findings.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { findings };
}
