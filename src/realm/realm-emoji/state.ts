import type { StateLoader } from "../../core/state";
import { allRealmEmoji } from "./all";
import { realmEmojiById } from "./wire";

/** `realm_emoji`: those of the realm by id, deactivated ones too, which older messages show. */
export const realmEmojiState = {
  fetchTypes: ["realm_emoji"],
  keys: { realm_emoji: realmEmojiById },
  load: ({ realm }, reader) => allRealmEmoji(reader, realm.id),
} satisfies StateLoader;
