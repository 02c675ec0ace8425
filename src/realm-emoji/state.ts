import type { StateLoader } from "../core/state";
import { allRealmEmoji } from "./all";

/** `realm_emoji`: those of the realm by id, deactivated ones too, which older messages show. */
export const realmEmojiState: StateLoader = {
  fetchTypes: ["realm_emoji"],
  load: ({ realm }, reader) => allRealmEmoji(reader, realm.id),
};
