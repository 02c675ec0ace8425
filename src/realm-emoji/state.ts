import type { StateLoader } from "../core/state";
import { listRealmEmoji } from "./queries";
import { realmEmojiMap } from "./wire";

/** `realm_emoji`: those of the realm by id, deactivated ones too, which older messages show. */
export const realmEmojiState: StateLoader = {
  fetchTypes: ["realm_emoji"],
  load: async ({ realm }, reader) => ({ realm_emoji: realmEmojiMap(await listRealmEmoji(reader, realm.id)) }),
};
