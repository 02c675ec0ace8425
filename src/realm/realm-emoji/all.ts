import { sameForAll } from "../../core/state";
import { listRealmEmoji } from "./queries";
import { realmEmojiMap } from "./wire";

/** All emoji of an organization as in `register` and events: one text for all clients. */
export const allRealmEmoji = sameForAll(["realm_emoji"], async (reader, realmId) => ({
  realm_emoji: realmEmojiMap(await listRealmEmoji(reader, realmId)),
}));
