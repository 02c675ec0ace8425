import { type StateLoader, sameForAll } from "../core/state";
import { listRealmEmoji } from "./queries";
import { realmEmojiMap } from "./wire";

const emoji = sameForAll(["realm_emoji"], async (reader, realmId) => ({
  realm_emoji: realmEmojiMap(await listRealmEmoji(reader, realmId)),
}));

/** `realm_emoji`: those of the realm by id, deactivated ones too, which older messages show. */
export const realmEmojiState: StateLoader = {
  fetchTypes: ["realm_emoji"],
  load: ({ realm }, reader) => emoji(reader, realm.id),
};
