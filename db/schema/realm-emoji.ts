import type { Columns } from "./columns";
import { personOrNull, picture } from "./traits";

/**
 * Emoji of an organization's own. Their pictures are in the file store, under names made from
 * `fileName`.
 */
export function realmEmojiTables({
  table,
  identity,
  identityKey,
  integer,
  text,
  boolean,
  uniqueIndex,
}: Columns) {
  const realmEmoji = table(
    "realm_emoji",
    {
      of: "realm",
      exported: true,
      holds: { authorId: personOrNull, fileName: picture("emoji") },
      onPersonDeleted: { keep: "others use the emoji" },
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      name: text("name").notNull(),
      /**
       * The name while it can be used, null once it is deactivated: two of one name are never in
       * use.
       */
      activeName: text("active_name"),
      authorId: integer("author_id"),
      /** The last part of its address, with the extension that tells its format. */
      fileName: text("file_name").notNull(),
      /** Whether it moves: then there is a picture that stands still beside it. */
      isAnimated: boolean("is_animated").notNull(),
      /**
       * Tells whether another file is the one that it was made from; null of those from before that
       * was noted.
       */
      sourceDigest: text("source_digest"),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("realm_emoji_name").on(t.realmId, t.activeName),
    ],
  );
  return { realmEmoji };
}
