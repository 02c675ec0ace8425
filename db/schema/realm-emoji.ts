import type { Columns } from "./columns";
import { personOrNull, picture } from "./traits";

/**
 * Emoji of an organization. Their pictures are in the file store, under names made from `fileName`.
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
      /** The name of an active emoji, null for a deactivated one: active names are unique. */
      activeName: text("active_name"),
      authorId: integer("author_id"),
      /** The last part of its address, with the extension of its format. */
      fileName: text("file_name").notNull(),
      /** Whether it is animated: then there is a still picture beside it. */
      isAnimated: boolean("is_animated").notNull(),
      /** Digest of the file that it was made from, to recognize that file; null for older emoji. */
      sourceDigest: text("source_digest"),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("realm_emoji_name").on(t.realmId, t.activeName),
    ],
  );
  return { realmEmoji };
}
