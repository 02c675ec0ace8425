import type { StateLoader } from "../core/state";
import { listFolders } from "./queries";
import { folderWire } from "./wire";

/** `channel_folders`: archived ones included, for the channels that are still in them. */
export const channelFolderState: StateLoader = {
  fetchTypes: ["channel_folders"],
  load: async ({ realm }, reader) => ({ channel_folders: (await listFolders(reader, realm.id)).map(folderWire) }),
};
