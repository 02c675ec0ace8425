import type { Declaration } from "./declaration";
import { dumpStored } from "./dump";
import { isMapping } from "./file/decode";
import { listNames } from "./planning";
import type { Stored } from "./stored";

/** Names of objects of the organization that its file does not declare, by the keys of the file. */
export type Undeclared = Record<string, string[]>;

/** Parts of the file in which names that differ only by case are different. */
const byCase = new Set(["groups", "linkifiers"]);

/**
 * Names of the stored objects that the declaration lacks. It compares the declaration with the file
 * that a dump would write.
 */
export function findUndeclared(declaration: Declaration, stored: Stored): Undeclared {
  if (!stored.realm) return {};
  const dumped = dumpStored(stored, stored.realm, ({ name }) => name);
  const undeclared: Undeclared = {};
  const add = (part: string, names: string[]) => {
    if (names.length > 0) undeclared[part] = names;
  };
  for (const [part, items] of Object.entries(dumped)) {
    if (!Array.isArray(items)) continue;
    const keyOf = (name: string) => (byCase.has(part) ? name : name.toLowerCase());
    const declared = new Set(itemsOf(declaration, part).map((item) => keyOf(nameOf(item))));
    const names = items.filter(isMapping).map(nameOf);
    add(
      part,
      names.filter((name) => !declared.has(keyOf(name))),
    );
  }
  const realm = isMapping(dumped.realm) ? dumped.realm : {};
  const { settings, permissions, channels, userDefaults } = declaration.realm;
  const settingsDeclared = [...Object.keys(settings), ...permissions.keys(), ...channels.keys()];
  add("settings", keysBeyond(realm.settings, settingsDeclared));
  add("user_defaults", keysBeyond(realm.user_defaults, Object.keys(userDefaults)));
  return undeclared;
}

const itemsOf = (declaration: Declaration, part: string): Record<string, unknown>[] =>
  Object.entries(declaration).flatMap(([key, items]) =>
    key === part && Array.isArray(items) ? items.filter(isMapping) : [],
  );

/** The name by which a file identifies an item of one of its lists. */
function nameOf(item: Record<string, unknown>): string {
  const name = item.email ?? item.domain ?? item.pattern ?? item.name;
  const language = item.language ?? item.pygmentsLanguage;
  return language === undefined ? String(name) : `${name} (${language})`;
}

const keysBeyond = (values: unknown, declared: readonly string[]) =>
  isMapping(values) ? Object.keys(values).filter((key) => !declared.includes(key)) : [];

/** Lines for a person. Of many names they have only the first ones. */
export const describeUndeclared = (undeclared: Undeclared): string[] =>
  Object.entries(undeclared).map(([part, names]) => `? ${part} not declared: ${listNames(names)}`);
