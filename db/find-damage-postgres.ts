import postgres, { type Sql } from "postgres";

const endSeconds = 5;

/**
 * Checks the B-tree indexes with PostgreSQL's own extension amcheck; answers `null` where this
 * extension is not installed. Its locks block neither reads nor writes.
 */
export async function findPostgresDamage(
  url: string,
  noteTable: (table: string) => void,
): Promise<string[] | null> {
  const client = postgres(url, {
    max: 1,
    onnotice: () => undefined,
    connection: { application_name: "chatd-check" },
  }) as unknown as Sql;
  try {
    const [installed] = await client`SELECT 1 FROM pg_extension WHERE extname = 'amcheck'`;
    if (!installed) return null;
    const indexes = await client<{ name: string; id: string }[]>`
      SELECT c.relname AS name, c.oid::text AS id FROM pg_class c JOIN pg_am a ON a.oid = c.relam
      WHERE a.amname = 'btree' AND c.relkind = 'i' AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname`;
    const findings: string[] = [];
    for (const { name, id } of indexes) {
      noteTable(name);
      await client`SELECT bt_index_check(${id}::oid::regclass)`.catch((error: unknown) => {
        findings.push(`${name}: ${error instanceof Error ? error.message : error}`);
      });
    }
    return findings;
  } finally {
    await client.end({ timeout: endSeconds });
  }
}
