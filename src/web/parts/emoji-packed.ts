import table from "../../emoji/names.json";
import { packEmoji } from "../model/emoji-packing";

/** The names of all emoji, packed by the bundler while it makes the client. */
export const packedEmoji = () => packEmoji(table);
