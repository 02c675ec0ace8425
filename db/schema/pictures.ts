import type { Columns } from "./columns";

/** Files in the file store that no row names, or not yet. They are removed at the given time. */
export function pictureTables({ table, integer, text, index, primaryKey }: Columns) {
  const strayPictures = table(
    "stray_pictures",
    { of: "nobody", notExported: "of the files there" },
    {
      realmId: integer("realm_id").notNull(),
      /** Key of the file in the file store. */
      fileKey: text("file_key").notNull(),
      /** UNIX seconds after which it is not needed any more. */
      removeAt: integer("remove_at").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.fileKey), index("stray_pictures_due").on(t.removeAt)],
  );
  return { strayPictures };
}
