import { getTableName, is, Table } from "drizzle-orm";
import type { Database } from "./reader";

/**
 * Tables that grow with what people write and do: for each of their rows the log has an entry of its own, or nobody
 * remembers anything of them. Of `messages` that holds for new rows only.
 */
const notedByRow = new Set([
  ...["event_log", "event_queues", "sent_locals", "message_flags", "read_watermarks", "read_blocks", "reactions"],
  ...["conversations", "conversation_members", "api_keys", "login_links", "failed_sign_ins"],
  ...["attachments", "attachment_messages", "user_topics", "alert_words"],
]);

/** The table that a call of drizzle's `insert`, `update` or `delete` changes, where others remember what stands in it. */
function rememberedTable(verb: string, table: unknown): string | undefined {
  if (!is(table, Table)) return undefined;
  const name = getTableName(table);
  if (notedByRow.has(name) || (name === "messages" && verb === "insert")) return undefined;
  // An organization that is gone has nobody who could remember it.
  return name === "realms" && verb === "delete" ? undefined : name;
}

const isVerb = (name: string | symbol): name is "insert" | "update" | "delete" =>
  name === "insert" || name === "update" || name === "delete";

/** The same database, which tells of each table that something is about to write to, but for the rows noted one by one. */
export function noteWrites(db: Database, note: (table: string) => void): Database {
  return new Proxy(db, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (!isVerb(name) || typeof value !== "function") return value;
      return (table: unknown) => {
        const written = rememberedTable(name, table);
        if (written !== undefined) note(written);
        return value.call(target, table);
      };
    },
  });
}
