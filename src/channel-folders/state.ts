import { type StateLoader, sameForAll } from "../core/state";
import { listFolders } from "./queries";
import { folderWire } from "./wire";

const folders = sameForAll(["channel_folders"], async (reader, realmId) => ({
  channel_folders: (await listFolders(reader, realmId)).map(folderWire),
}));

/** `channel_folders`: archived ones included, for the channels that are still in them. */
export const channelFolderState: StateLoader = {
  fetchTypes: ["channel_folders"],
  load: ({ realm }, reader) => folders(reader, realm.id),
};
