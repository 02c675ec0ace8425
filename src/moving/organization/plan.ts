import { accountsAfter } from "./accounts";
import { declarables } from "./declarables";
import type { Declaration, Declared } from "./declaration";
import { isMapping } from "./file/decode";
import type { Plan, Planning } from "./planning";
import type { Stored } from "./stored";

/**
 * Compares a declaration with the stored data. It adds and updates: accounts, groups and channels
 * that are not declared stay unchanged. Declared people become active; the members of declared
 * groups, and of channels with a list, become exact. It checks only conditions that depend on
 * stored data; `readDeclaration` has checked the others. Objects of the `pruned` parts that are not
 * declared are deactivated or archived, after everything else.
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
  // Backwards, because channels hold groups, and groups people.
  for (const { prune } of declarables.toReversed())
    if (prune && pruned.has(prune.part)) planning.changes.push(...prune.changes(planning));
  return { changes: planning.changes, problems: planning.problems };
}

/** Parts that a file has, of those that can be pruned: a part that it lacks stays as it is. */
export function prunedParts({ source: { value } }: Declared): Set<string> {
  const parts = declarables.flatMap(({ prune }) => prune?.part ?? []);
  return new Set(parts.filter((part) => isMapping(value) && Array.isArray(value[part])));
}
