import { type Endpoint, endpoint } from "../http/endpoint";
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

export const channelFolderEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/channel_folders",
    summary: "Lists the folders that channels are sorted into.",
    who: "user",
    input: ListFolders,
    verb: getFolders,
  }),
  endpoint({
    method: "POST",
    path: "/channel_folders/create",
    summary: "Adds a channel folder.",
    who: "administrator",
    input: CreateFolder,
    verb: createFolder,
  }),
  endpoint({
    method: "PATCH",
    path: "/channel_folders",
    summary: "Puts the channel folders into another order.",
    who: "administrator",
    input: ReorderFolders,
    verb: reorderFolders,
  }),
  endpoint({
    method: "PATCH",
    path: "/channel_folders/{channel_folder_id}",
    summary: "Renames, describes or archives a channel folder.",
    who: "administrator",
    input: UpdateFolder,
    verb: updateFolder,
  }),
];
