import { event } from "../../events/define";
import { realmEmojiById } from "./wire";

/** The organization's emoji have changed: all of them, by id. To the realm. */
export const realmEmojiChanged = event("realm_emoji", "update", { realm_emoji: realmEmojiById });
