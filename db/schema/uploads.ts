import type { Columns } from "./columns";

/** Files that people uploaded, and the messages that link to them. The bytes are elsewhere, under `pathId`. */
export function uploadTables(columns: Columns) {
  const { table, identity, identityKey, integer, text, index, uniqueIndex, primaryKey } = columns;
  const attachments = table(
    "attachments",
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      ownerId: integer("owner_id").notNull(),
      /** What follows `/user_uploads/` in its address. */
      pathId: text("path_id").notNull(),
      name: text("name").notNull(),
      contentType: text("content_type").notNull(),
      sizeBytes: integer("size_bytes").notNull(),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("attachments_path").on(t.realmId, t.pathId),
      index("attachments_owner").on(t.realmId, t.ownerId, t.id),
    ],
  );
  const attachmentMessages = table(
    "attachment_messages",
    {
      realmId: integer("realm_id").notNull(),
      attachmentId: integer("attachment_id").notNull(),
      messageId: integer("message_id").notNull(),
    },
    (t) => [
      primaryKey(t.realmId, t.attachmentId, t.messageId),
      index("attachment_messages_message").on(t.realmId, t.messageId),
    ],
  );
  return { attachments, attachmentMessages };
}
