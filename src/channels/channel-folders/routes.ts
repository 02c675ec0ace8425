import { Type } from "@sinclair/typebox";
import { audited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  CreateFolder,
  createFolder,
  getFolders,
  ListFolders,
  ReorderFolders,
  reorderFolders,
  UpdateFolder,
  updateFolder,
} from "./service";
import { folderObject } from "./wire";

export const channelFolderEndpoints = [
  endpoint({
    method: "GET",
    path: "/channel_folders",
    summary: "Lists the channel folders.",
    who: "user",
    input: ListFolders,
    output: Type.Object({ channel_folders: Type.Array(folderObject) }),
    verb: getFolders,
  }),
  endpoint({
    method: "POST",
    path: "/channel_folders/create",
    summary: "Adds a channel folder.",
    who: "administrator",
    audit: audited("folder.create"),
    input: CreateFolder,
    output: Type.Object({ channel_folder_id: Type.Integer() }),
    verb: createFolder,
  }),
  endpoint({
    method: "PATCH",
    path: "/channel_folders",
    summary: "Changes the order of the channel folders.",
    who: "administrator",
    audit: audited("folder.reorder"),
    input: ReorderFolders,
    output: noFields,
    verb: reorderFolders,
  }),
  endpoint({
    method: "PATCH",
    path: "/channel_folders/{channel_folder_id}",
    summary: "Renames, describes or archives a channel folder.",
    who: "administrator",
    audit: audited("folder.update"),
    input: UpdateFolder,
    output: noFields,
    verb: updateFolder,
  }),
];
