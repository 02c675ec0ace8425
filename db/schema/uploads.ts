import type { Columns } from "./columns";
import { idOf, message, person } from "./traits";

/**
 * Files that people uploaded, and the messages that link to them. The bytes are in the file store,
 * under `pathId`.
 */
export const uploadTables = (columns: Columns) => ({
  attachments: attachmentsTable(columns),
  attachmentMessages: attachmentMessagesTable(columns),
  uploadTotals: uploadTotalsTable(columns),
  resumableUploads: resumableUploadsTable(columns),
});

const attachmentsTable = ({
  table,
  identity,
  identityKey,
  integer,
  text,
  boolean,
  index,
  uniqueIndex,
}: Columns) =>
  table(
    "attachments",
    {
      of: "message",
      exported: true,
      holds: { ownerId: person, pathId: { is: "path" } },
      onPersonDeleted: { keep: "messages link to the file; those without a link go" },
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      ownerId: integer("owner_id").notNull(),
      /** Part of its address after `/user_uploads/`. */
      pathId: text("path_id").notNull(),
      name: text("name").notNull(),
      contentType: text("content_type").notNull(),
      sizeBytes: integer("size_bytes").notNull(),
      createdAt: integer("created_at").notNull(),
      /** In pixels; null unless the file is a picture that thumbnails are made of. */
      imageWidth: integer("image_width"),
      imageHeight: integer("image_height"),
      isAnimated: boolean("is_animated").notNull().default(false),
      /**
       * When the last message with a link to it was deleted or edited; null if there never was one,
       * or there still is.
       */
      unlinkedAt: integer("unlinked_at"),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("attachments_path").on(t.realmId, t.pathId),
      index("attachments_owner").on(t.realmId, t.ownerId, t.id),
    ],
  );

const attachmentMessagesTable = ({ table, integer, index, primaryKey }: Columns) =>
  table(
    "attachment_messages",
    {
      of: "message",
      exported: true,
      holds: { attachmentId: idOf("attachments"), messageId: message },
      onMessageDeleted: { otherwise: "they go with the release of the files that it linked" },
      changes: "notLogged",
    },
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

/**
 * The bytes of all files of an owner. Without a row the files of an owner have not been counted
 * yet.
 */
const uploadTotalsTable = ({ table, integer, primaryKey }: Columns) =>
  table(
    "upload_totals",
    {
      of: "person",
      notExported: "made anew from the files",
      holds: { ownerId: person },
      onPersonDeleted: { keep: "their files stay" },
      changes: "notLogged",
    },
    {
      realmId: integer("realm_id").notNull(),
      ownerId: integer("owner_id").notNull(),
      bytes: integer("bytes").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.ownerId)],
  );

/** Uploads in several requests. Received bytes are in the file store, under `fileKey`. */
function resumableUploadsTable({ table, integer, text, index, primaryKey }: Columns) {
  return table(
    "resumable_uploads",
    {
      of: "person",
      notExported: "not whole yet",
      holds: { ownerId: person, attachmentId: idOf("attachments") },
      onPersonDeleted: { keep: "an upload that does not go on is removed for its age" },
    },
    {
      realmId: integer("realm_id").notNull(),
      /** Last part of its address. */
      id: text("id").notNull(),
      ownerId: integer("owner_id").notNull(),
      fileKey: text("file_key").notNull(),
      name: text("name").notNull(),
      /** Facts that its uploader gave about it, as JSON, for later requests of the upload. */
      metadata: text("metadata").notNull(),
      /** Its final size. */
      sizeBytes: integer("size_bytes").notNull(),
      createdAt: integer("created_at").notNull(),
      /** The file that it has become; null until it is complete. */
      attachmentId: integer("attachment_id"),
    },
    (t) => [
      primaryKey(t.realmId, t.id),
      index("resumable_uploads_owner").on(t.realmId, t.ownerId),
      index("resumable_uploads_age").on(t.createdAt),
    ],
  );
}
