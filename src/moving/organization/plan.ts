import { accountsAfter } from "./accounts";
import { declarables } from "./declarables";
import type { Declaration } from "./declaration";
import type { Plan } from "./planning";
import type { Stored } from "./stored";

/**
 * Compares a declaration with the stored data. It adds and updates: accounts, groups and channels
 * that are not declared stay unchanged. Declared people become active; the members of declared
 * groups, and of channels with a list, become exact. It checks only conditions that depend on
 * stored data; `readDeclaration` has checked the others.
 */
export function planChanges(declaration: Declaration, stored: Stored): Plan {
  const planning = {
    declaration,
    stored,
    accounts: accountsAfter(declaration, stored),
    changes: [],
    problems: [],
  };
  for (const { plan } of declarables) plan(planning);
  return { changes: planning.changes, problems: planning.problems };
}
