import { Type } from "@sinclair/typebox";
import { type StateLoader, sameForAll } from "../../core/state";
import { listFolders } from "./queries";
import { folderObject, folderWire } from "./wire";

const folders = sameForAll(["channel_folders"], async (reader, realmId) => ({
  channel_folders: (await listFolders(reader, realmId)).map(folderWire),
}));

/** `channel_folders`: including archived ones, because channels may still be in them. */
export const channelFolderState = {
  fetchTypes: ["channel_folders"],
  keys: { channel_folders: Type.Array(folderObject) },
  load: ({ realm }, reader) => folders(reader, realm.id),
} satisfies StateLoader;
