import { accountsAfter } from "./accounts";
import { declarables } from "./declarables";
import type { Declaration, Declared } from "./declaration";
import { isMapping } from "./file/decode";
import type { Plan, Planning } from "./planning";
import type { Stored } from "./stored";

/**
 * Compares a declaration with the stored data, and plans changes. They add and update objects;
 * accounts, groups and channels that are not declared stay unchanged. Declared people become
 * active. The members of declared groups, and the subscribers of channels with a list, become
 * exact. Only conditions that depend on stored data are checked here, because `readDeclaration` has
 * checked the others. Undeclared objects of the `pruned` parts are deactivated or archived, after
 * all other changes.
 */
export function planChanges(
  declaration: Declaration,
  stored: Stored,
  pruned: ReadonlySet<string> = new Set(),
): Plan {
  const planning: Planning = {
    declaration,
    stored,
    accounts: accountsAfter(declaration, stored),
    changes: [],
    problems: [],
  };
  for (const { plan } of declarables) plan(planning);
  // In reverse order, because channels name groups, and groups name people.
  for (const { prune } of declarables.toReversed())
    if (prune && pruned.has(prune.part)) planning.changes.push(...prune.changes(planning));
  return { changes: planning.changes, problems: planning.problems };
}

/**
 * Parts of a file that can be pruned. Objects of a part that the file does not have are never
 * pruned.
 */
export function prunedParts({ source: { value } }: Declared): Set<string> {
  const parts = declarables.flatMap(({ prune }) => prune?.part ?? []);
  return new Set(parts.filter((part) => isMapping(value) && Array.isArray(value[part])));
}
