import type { StateLoader } from "../../core/state";
import { allRealmEmoji } from "./all";
import { realmEmojiById } from "./wire";

/** `realm_emoji`: those of the realm by id, including deactivated ones, which old messages show. */
export const realmEmojiState = {
  fetchTypes: ["realm_emoji"],
  keys: { realm_emoji: realmEmojiById },
  load: ({ realm }, reader) => allRealmEmoji(reader, realm.id),
} satisfies StateLoader;
