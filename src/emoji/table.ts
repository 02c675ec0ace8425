/** The one emoji that is neither Unicode nor an organization's own: its code is its name. */
export const extraEmojiName = "zulip";

interface Table {
  /** All names of an emoji between spaces, the canonical one first. */
  namesByCode: Readonly<Record<string, string>>;
  codesByName: ReadonlyMap<string, string>;
}

let loadedTable: Table | undefined;

/** The table is built on first use, because building it would make every start slower. */
function loadTable(): Table {
  if (loadedTable) return loadedTable;
  const namesByCode: Record<string, string> = require("./names.json");
  const codesByName = new Map<string, string>();
  for (const [code, names] of Object.entries(namesByCode))
    for (const name of names.split(" ")) codesByName.set(name, code);
  loadedTable = { namesByCode, codesByName };
  return loadedTable;
}

/**
 * The `emoji_code` of a Unicode emoji, such as `1f44d` or `1f1e9-1f1ea`, by its name without
 * colons.
 */
export const emojiCode = (name: string): string | undefined => loadTable().codesByName.get(name);

/** All names of a Unicode emoji, the canonical one first; none for a code that is no emoji. */
export function emojiNames(code: string): string[] {
  const { namesByCode } = loadTable();
  return Object.hasOwn(namesByCode, code) ? (namesByCode[code]?.split(" ") ?? []) : [];
}

/** `code_to_names` of the document at `server_emoji_data_url`. */
export const codeToNames = (): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(loadTable().namesByCode).map(([code, names]) => [code, names.split(" ")]),
  );
