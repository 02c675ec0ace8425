import * as sqlite from "drizzle-orm/sqlite-core";
import type { Columns, Dialect } from "./columns";
import { describe, message } from "./traits";

/**
 * Progress of the search index in a realm's messages, and indexed messages that have changed since
 * then and are to be indexed again. Triggers fill the second table and delete messages from the
 * index, so that no verb has to do so.
 */
export function searchTables({ table, integer, primaryKey }: Columns) {
  const searchProgress = table(
    "search_progress",
    {
      of: "nobody",
      notExported: "made anew from the messages",
      changes: "notLogged",
      notInBackup: "made anew from the messages",
    },
    {
      realmId: integer("realm_id").notNull(),
      indexedUpTo: integer("indexed_up_to").notNull(),
    },
    (t) => [primaryKey(t.realmId)],
  );
  const searchChanges = table(
    "search_changes",
    {
      of: "nobody",
      notExported: "made anew from the messages",
      holds: { messageId: message },
      onMessageDeleted: { otherwise: "the index is yet to take its words out" },
      changes: "notLogged",
      notInBackup: "made anew from the messages",
    },
    {
      realmId: integer("realm_id").notNull(),
      messageId: integer("message_id").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.messageId)],
  );
  return { searchProgress, searchChanges };
}

const sqliteWords = sqlite.sqliteTable("message_words", {
  messageId: sqlite.integer("rowid").notNull(),
  words: sqlite.text("words").notNull(),
});

/**
 * The words of each message. Migrations create it by hand, because it differs between the engines:
 * an FTS5 table without text, whose rows have the ids of the messages, or a table of text search
 * vectors. Only the latter has the realm.
 */
export const wordsTable = (dialect: Dialect) =>
  describe(wordsOf(dialect), {
    of: "nobody",
    notExported: "made anew from the messages",
    changes: "notLogged",
    notInBackup: "made anew from the messages",
    holds: { messageId: message },
    onMessageDeleted: { otherwise: "the indexing takes its words out" },
  });

function wordsOf(dialect: Dialect): typeof sqliteWords {
  if (dialect === "sqlite") return sqliteWords;
  const { postgresWords }: typeof import("./postgres-columns") = require("./postgres-columns");
  return postgresWords as unknown as typeof sqliteWords;
}
