import { unpackEmoji } from "../model/emoji-packing";
import { packedEmoji } from "./emoji-packed" with { type: "macro" };

/** Names of each emoji by its code. They are loaded when somebody looks for one. */
export const emojiNames = unpackEmoji(packedEmoji());
