import { Type } from "@sinclair/typebox";
import { event } from "../events/define";
import { attachmentObject } from "./wire";

const fields = {
  attachment: attachmentObject,
  upload_space_used: Type.Integer({
    description: "Bytes of all files of the organization together.",
  }),
};

/** Somebody has uploaded a file. */
export const attachmentAdded = event("attachment", "add", fields);

/** The messages that link to a file have changed. */
export const attachmentUpdated = event("attachment", "update", fields);

/** Somebody has removed their file. */
export const attachmentRemoved = event("attachment", "remove", {
  ...fields,
  attachment: Type.Object({ id: Type.Integer() }),
});
