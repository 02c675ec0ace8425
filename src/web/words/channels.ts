import { channels } from "./en/channels";

/** Texts of the channels to browse, which are loaded with them. */
export const channelWords: typeof channels = globalThis.chatdLanguage?.parts.channels ?? channels;
