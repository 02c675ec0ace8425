import { type StateLoader, sameForAll } from "../core/state";
import { listPlaygrounds } from "./queries";
import { playgroundWire } from "./wire";

const playgrounds = sameForAll(["playgrounds"], async (reader, realmId) => ({
  realm_playgrounds: (await listPlaygrounds(reader, realmId)).map(playgroundWire),
}));

/** `realm_playgrounds`: where code can be run. */
export const playgroundState: StateLoader = {
  fetchTypes: ["realm_playgrounds"],
  load: ({ realm }, reader) => playgrounds(reader, realm.id),
};
