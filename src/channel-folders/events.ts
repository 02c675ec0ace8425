import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

export const folderAdded = event("channel_folder", "add", {
  channel_folder: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    rendered_description: Type.String(),
    order: Type.Integer(),
    is_archived: Type.Boolean(),
    creator_id: Type.Union([Type.Integer(), Type.Null()]),
    date_created: Type.Integer(),
  }),
});

/** `data` holds what is different now. */
export const folderChanged = event("channel_folder", "update", {
  channel_folder_id: Type.Integer(),
  data: Type.Object({
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    rendered_description: Type.Optional(Type.String()),
    is_archived: Type.Optional(Type.Boolean()),
  }),
});

/** The ids of all folders in their new order. */
export const foldersReordered = event("channel_folder", "reorder", { order: Type.Array(Type.Integer()) });
