import { sql } from "drizzle-orm";
import type { Reader } from "./reader";
import { rawOf } from "./take-rows";

/**
 * Empties the words of an organization's messages, in a write; on SQLite those of all
 * organizations. FTS5 forgets its rows without looking into what may be damaged.
 */
export async function emptyWords(reader: Reader, realmId: number): Promise<void> {
  if (reader.dialect === "postgres") {
    await rawOf(reader).execute(sql`DELETE FROM message_words WHERE realm_id = ${realmId}`);
  } else
    await rawOf(reader).run(sql`INSERT INTO message_words (message_words) VALUES ('delete-all')`);
}
