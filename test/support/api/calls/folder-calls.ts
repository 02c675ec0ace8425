import type { Person, World } from "../../world";
import { administrators, allButGuests, type Calls, everyone } from "./call";
import { newName } from "./things";

const newFolder = async ({ olga }: World): Promise<number> =>
  (await olga.post("/channel_folders/create", { name: newName("Folder"), description: "" })).body
    .channel_folder_id;

/** Channel folders, and channels that are created with all of their needs. */
export const folderCalls: Calls = {
  "POST /channels/create": {
    outcomes: allButGuests,
    prepare: (_, caller: Person) => ({
      parameters: { name: newName("channel"), subscribers: caller.id > 0 ? [caller.id] : [] },
    }),
  },
  "GET /channel_folders": { outcomes: everyone, prepare: () => ({}) },
  "POST /channel_folders/create": {
    by: "olga",
    outcomes: administrators,
    prepare: () => ({ parameters: { name: newName("Folder"), description: "" } }),
  },
  "PATCH /channel_folders": {
    by: "olga",
    outcomes: administrators,
    prepare: async (world) => {
      await newFolder(world);
      const { body } = await world.olga.get("/channel_folders", { include_archived: true });
      return {
        parameters: { order: body.channel_folders.map(({ id }: { id: number }) => id).reverse() },
      };
    },
  },
  "PATCH /channel_folders/{channel_folder_id}": {
    by: "olga",
    outcomes: administrators,
    prepare: async (world) => ({
      path: { channel_folder_id: await newFolder(world) },
      parameters: { description: newName("About") },
    }),
  },
};
