import { type Static, Type } from "@sinclair/typebox";
import type { Schema } from "../../db/schema";

export type AttachmentRow = Schema["attachments"]["$inferSelect"];

/** A file as its owner sees it (`test/recorded/api/api-surface.json`, Attachment). */
export const attachmentObject = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    path_id: Type.String({ description: "Address of the file below `/user_uploads/`." }),
    size: Type.Integer({ description: "In bytes." }),
    create_time: Type.Integer({ description: "UNIX seconds." }),
    message_ids: Type.Array(Type.Integer(), {
      description: "All messages that link to the file, of any sender; ascending.",
    }),
  },
  { title: "Attachment" },
);

export type WireAttachment = Static<typeof attachmentObject>;

/** `messageIds`: ids of all messages that link to the file, of any sender; ascending. */
export const attachmentWire = (row: AttachmentRow, messageIds: number[]): WireAttachment => ({
  id: row.id,
  name: row.name,
  path_id: row.pathId,
  size: row.sizeBytes,
  create_time: row.createdAt,
  message_ids: messageIds,
});

/** The key under which a file is stored: the part of its address before its name. */
export const keyOf = (pathId: string): string => pathId.split("/").slice(0, 2).join("/");
