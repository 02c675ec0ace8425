import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const attachment = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  path_id: Type.String(),
  size: Type.Integer(),
  create_time: Type.Integer(),
  message_ids: Type.Array(Type.Integer()),
});

/** Somebody has uploaded a file. `upload_space_used` is what all files of the realm take together, in bytes. */
export const attachmentAdded = event("attachment", "add", { attachment, upload_space_used: Type.Integer() });

/** Other messages than before link to a file. */
export const attachmentUpdated = event("attachment", "update", { attachment, upload_space_used: Type.Integer() });

/** Somebody has removed their file. */
export const attachmentRemoved = event("attachment", "remove", {
  attachment: Type.Object({ id: Type.Integer() }),
  upload_space_used: Type.Integer(),
});
