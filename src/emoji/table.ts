import names from "./names.json";

/** The one emoji that is neither Unicode nor an organization's own: its code is its name. */
export const extraEmojiName = "zulip";

const codesByName = new Map<string, string>(Object.entries(names));
const namesByCode = Map.groupBy(codesByName.keys(), (name) => codesByName.get(name) ?? "");

/** The `emoji_code` of a Unicode emoji's name, as in `1f44d` or `1f1e9-1f1ea`; no colons around the name. */
export const emojiCode = (name: string): string | undefined => codesByName.get(name);

/** All names of a Unicode emoji, the canonical one first; none for a code that is no emoji. */
export const emojiNames = (code: string): string[] => [...(namesByCode.get(code) ?? [])];

/** `code_to_names` of the document at `server_emoji_data_url`. */
export const codeToNames = (): Record<string, string[]> => Object.fromEntries(namesByCode);
