import type { Columns } from "./columns";
import { message, person } from "./traits";

/**
 * Actions of people on the widget of a message, such as votes in a poll. The first one of a message
 * has the kind of the widget.
 */
export function submessageTables({ table, identity, identityKey, integer, text, index }: Columns) {
  const submessages = table(
    "submessages",
    {
      of: "message",
      exported: true,
      holds: { messageId: message, senderId: person, content: { is: "widget" } },
      onPersonDeleted: { keep: "the message stays" },
      onMessageDeleted: "remove",
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      messageId: integer("message_id").notNull(),
      senderId: integer("sender_id").notNull(),
      msgType: text("msg_type").notNull(),
      /** JSON, as clients have sent it. */
      content: text("content").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      index("submessages_message").on(t.realmId, t.messageId, t.id),
    ],
  );
  return { submessages };
}
