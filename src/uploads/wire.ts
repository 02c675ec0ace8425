import type { Schema } from "../../db/schema";

export type AttachmentRow = Schema["attachments"]["$inferSelect"];

/** A file as its owner sees it; `create_time` is UNIX seconds (`api/api-surface.json`, Attachment). */
export interface WireAttachment {
  id: number;
  name: string;
  path_id: string;
  size: number;
  create_time: number;
  message_ids: number[];
}

/** `messageIds`: all messages, whoever sent them, that link to the file; ascending. */
export const attachmentWire = (row: AttachmentRow, messageIds: number[]): WireAttachment => ({
  id: row.id,
  name: row.name,
  path_id: row.pathId,
  size: row.sizeBytes,
  create_time: row.createdAt,
  message_ids: messageIds,
});

/** The key that a file is stored under: its address without its name. */
export const keyOf = (pathId: string): string => pathId.split("/").slice(0, 2).join("/");
