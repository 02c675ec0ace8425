import type { Columns } from "./columns";
import { person } from "./traits";

/**
 * Moves of an organization out of a server and into one: exports that somebody has asked for, and
 * imports.
 */
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
      onPersonDeleted: { keep: "the file is removed for its age" },
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      /** Person who has asked for it, and alone may fetch it. */
      userId: integer("user_id").notNull(),
      /** `public`, `full_with_consent` or `full_without_consent`. */
      type: text("type").notNull(),
      requestedAt: integer("requested_at").notNull(),
      finishedAt: integer("finished_at"),
      failedAt: integer("failed_at"),
      deletedAt: integer("deleted_at"),
      /**
       * Name of its file: a name that nobody can guess. Null where there is none, not yet or no
       * more.
       */
      file: text("file"),
    },
    (t) => [...identityKey(t.realmId, t.id), index("realm_exports_user").on(t.realmId, t.userId)],
  );

/** An organization that is being taken in, or has been. */
const realmImportsTable = ({ table, integer, text, primaryKey }: Columns) =>
  table(
    "realm_imports",
    { of: "nobody", notExported: "of the server" },
    {
      realmId: integer("realm_id").notNull(),
      /**
       * Digest that tells its file and the way it was asked for from others: SHA-256, hexadecimal.
       */
      digest: text("digest").notNull(),
      /** JSON: by how much its ids differ from those in the file. */
      shifts: text("shifts").notNull(),
      /**
       * Of the table at whose turn it is, the last row that was taken in; both null when all are
       * done.
       */
      currentTable: text("current_table"),
      lastRow: integer("last_row"),
      /** JSON: what was left out so far, counted by reason. */
      skipped: text("skipped").notNull().default("{}"),
      startedAt: integer("started_at").notNull(),
      finishedAt: integer("finished_at"),
    },
    (t) => [primaryKey(t.realmId)],
  );
