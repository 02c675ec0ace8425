import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { folderObject } from "./wire";

export const folderAdded = event("channel_folder", "add", { channel_folder: folderObject });

/** `data` has the changed fields. */
export const folderChanged = event("channel_folder", "update", {
  channel_folder_id: Type.Integer(),
  data: Type.Partial(
    Type.Pick(folderObject, ["name", "description", "rendered_description", "is_archived"]),
    {
      title: "ChangedChannelFolder",
    },
  ),
});

/** The ids of all folders in their new order. */
export const foldersReordered = event("channel_folder", "reorder", {
  order: Type.Array(Type.Integer()),
});
