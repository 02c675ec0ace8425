import table from "../../emoji/names.json";
import { packEmoji } from "../model/emoji-packing";

/** The names of all emoji. The bundler evaluates this while it builds the client. */
export const packedEmoji = () => packEmoji(table);
