import { unpackEmoji } from "../model/emoji-packing";
import { packedEmoji } from "./emoji-packed" with { type: "macro" };

/** The names of each emoji by code. This file is loaded when somebody looks for an emoji. */
export const emojiNames = unpackEmoji(packedEmoji());
