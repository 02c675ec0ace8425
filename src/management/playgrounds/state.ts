import { Type } from "@sinclair/typebox";
import { type StateLoader, sameForAll } from "../../core/state";
import { listPlaygrounds } from "./queries";
import { playgroundObject, playgroundWire } from "./wire";

const playgrounds = sameForAll(["playgrounds"], async (reader, realmId) => ({
  realm_playgrounds: (await listPlaygrounds(reader, realmId)).map(playgroundWire),
}));

/** `realm_playgrounds`: the playgrounds of the realm. */
export const playgroundState = {
  fetchTypes: ["realm_playgrounds"],
  keys: { realm_playgrounds: Type.Array(playgroundObject) },
  load: ({ realm }, reader) => playgrounds(reader, realm.id),
} satisfies StateLoader;
