import { getTableName, is, Table } from "drizzle-orm";
import type { Database } from "./reader";

/**
 * Tables that grow with what people write and do: for each of their rows the log has an entry of
 * its own, or nobody remembers anything of them. Of `messages` that holds for new rows only.
 */
const notedByRow = new Set([
  "event_log",
  "event_queues",
  "sent_locals",
  "message_flags",
  "read_watermarks",
  "read_blocks",
  "reactions",
  "conversations",
  "conversation_members",
  "login_links",
  "failed_sign_ins",
  "attachments",
  "attachment_messages",
  "upload_totals",
  "user_topics",
  "jobs",
  "user_presences",
  "user_statuses",
  "drafts",
  "saved_snippets",
  "scheduled_messages",
  "reminders",
  "submessages",
  "message_edits",
  "pushed_messages",
  "search_progress",
  "search_changes",
  "message_words",
]);

/** A table that a statement changes. */
export interface Change {
  table: string;
  /** Whether the realm's log must tell of it, because others remember what stands in the table. */
  isTold: boolean;
}

function changeOf(verb: string, table: unknown): Change {
  // What is not a table of ours may be any.
  if (!is(table, Table)) return { table: "", isTold: false };
  const name = getTableName(table);
  const isNewMessage = name === "messages" && verb === "insert";
  // An organization that is gone has nobody who could remember it.
  const isGone = name === "realms" && verb === "delete";
  return { table: name, isTold: !notedByRow.has(name) && !isNewMessage && !isGone };
}

const isVerb = (name: string | symbol): name is "insert" | "update" | "delete" =>
  name === "insert" || name === "update" || name === "delete";

/** The same database, which tells of each table that something is about to write to. */
export function noteWrites(db: Database, note: (change: Change) => void): Database {
  return new Proxy(db, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (!isVerb(name) || typeof value !== "function") return value;
      return (table: unknown) => {
        note(changeOf(name, table));
        return value.call(target, table);
      };
    },
  });
}
