import type { Columns } from "./columns";
import { person } from "./traits";

/** Exports that people have requested, and imports. */
export const realmArchiveTables = (columns: Columns) => ({
  realmExports: realmExportsTable(columns),
  realmImports: realmImportsTable(columns),
});

const realmExportsTable = ({ table, identity, identityKey, integer, text, index }: Columns) =>
  table(
    "realm_exports",
    {
      of: "administrators",
      notExported: "of the server",
      holds: { userId: person },
      onPersonDeleted: { keep: "administrators delete its file" },
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      /** Requester, who alone may fetch it. */
      userId: integer("user_id").notNull(),
      /** `public`, `full_with_consent` or `full_without_consent`. */
      type: text("type").notNull(),
      requestedAt: integer("requested_at").notNull(),
      finishedAt: integer("finished_at"),
      failedAt: integer("failed_at"),
      deletedAt: integer("deleted_at"),
      /**
       * Name of its file, which cannot be guessed. Null before it exists and after it was deleted.
       */
      file: text("file"),
    },
    (t) => [...identityKey(t.realmId, t.id), index("realm_exports_user").on(t.realmId, t.userId)],
  );

/** An organization that is being imported, or was. */
const realmImportsTable = ({ table, integer, text, primaryKey }: Columns) =>
  table(
    "realm_imports",
    { of: "nobody", notExported: "of the server" },
    {
      realmId: integer("realm_id").notNull(),
      /** Digest of its file and options: SHA-256, hexadecimal. */
      digest: text("digest").notNull(),
      /** JSON: the differences between its ids and those in the file. */
      shifts: text("shifts").notNull(),
      /** The current table and its last imported row; both null at the end. */
      currentTable: text("current_table"),
      lastRow: integer("last_row"),
      /** JSON: number of skipped items by reason. */
      skipped: text("skipped").notNull().default("{}"),
      startedAt: integer("started_at").notNull(),
      finishedAt: integer("finished_at"),
    },
    (t) => [primaryKey(t.realmId)],
  );
