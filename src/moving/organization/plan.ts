import { accountsAfter } from "./accounts";
import { declarables } from "./declarables";
import type { Declaration } from "./declaration";
import type { Plan } from "./planning";
import type { Stored } from "./stored";

/**
 * Compares a declaration with what is stored. It adds and updates: accounts, groups and channels
 * that are not declared stay as they are. Declared people are active; the members of declared
 * groups, and of channels with a list, are made exact. Only what depends on what is stored is
 * judged; `readDeclaration` has refused the rest.
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
