import type { Columns } from "./columns";
import { message, person } from "./traits";

/** Reactions to messages; the ids are in the order in which they were added. */
export function reactionTables({
  table,
  identity,
  identityKey,
  integer,
  text,
  index,
  uniqueIndex,
}: Columns) {
  const reactions = table(
    "reactions",
    {
      of: "message",
      exported: true,
      holds: { messageId: message, userId: person, emojiCode: { is: "emojiCode" } },
      onPersonDeleted: { keep: "the message stays" },
      onMessageDeleted: "remove",
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      messageId: integer("message_id").notNull(),
      userId: integer("user_id").notNull(),
      emojiName: text("emoji_name").notNull(),
      emojiCode: text("emoji_code").notNull(),
      reactionType: text("reaction_type").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("reactions_message").on(
        t.realmId,
        t.messageId,
        t.userId,
        t.reactionType,
        t.emojiCode,
      ),
      // The names of an emoji on a message, of which a reaction takes the first.
      index("reactions_emoji").on(t.realmId, t.messageId, t.reactionType, t.emojiCode, t.emojiName),
    ],
  );
  return { reactions };
}
