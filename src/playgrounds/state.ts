import type { StateLoader } from "../core/state";
import { listPlaygrounds } from "./queries";
import { playgroundWire } from "./wire";

/** `realm_playgrounds`: where code can be run. */
export const playgroundState: StateLoader = {
  fetchTypes: ["realm_playgrounds"],
  load: async ({ realm }, reader) => ({
    realm_playgrounds: (await listPlaygrounds(reader, realm.id)).map(playgroundWire),
  }),
};
