import { emailKeyOf } from "../users/queries";
import type { Change } from "./changes";
import type { Declaration } from "./declaration";
import type { Path } from "./positions";
import type { Problem } from "./problems";
import type { Stored } from "./stored";

/** What has to be done to make the stored organization the declared one, in order, and what of it cannot be done. */
export interface Plan {
  changes: Change[];
  problems: Problem[];
}

/** Somebody as the plan leaves them. `id` is undefined for those who are to be added. */
export interface Account {
  id: number | undefined;
  email: string;
  isBot: boolean;
  isActive: boolean;
  role: number;
}

/** What the parts of a plan share. */
export interface Planning extends Plan {
  declaration: Declaration;
  stored: Stored;
  /** Everybody by what their address is found by, as the plan leaves them. */
  accounts: ReadonlyMap<string, Account>;
}

/**
 * Somebody who is named by an e-mail address, in this file or in the organization; where there is nobody, or only a
 * deactivated account, that is a problem of the place.
 */
export function findNamed({ accounts, problems }: Planning, email: string, path: Path): Account | undefined {
  const account = accounts.get(emailKeyOf(email));
  if (account?.isActive) return account;
  const message = account
    ? `the account of '${email}' is deactivated. Declare it among the users to reactivate it.`
    : `nobody has the e-mail address '${email}', here or in the organization.`;
  problems.push({ path, message });
  return undefined;
}

/** The addresses of those of some stored users who are active when the plan is done. */
export function activeEmails({ accounts }: Planning, ids: ReadonlySet<number> = new Set()): string[] {
  const active = [...accounts.values()].filter(({ id, isActive }) => isActive && id !== undefined && ids.has(id));
  return active.map(({ email }) => email);
}

/** What is to come and to go, so that just the wanted ones are there. */
export function differenceOf(wanted: readonly string[], current: readonly string[]) {
  const add = [...new Set(wanted)].filter((one) => !current.includes(one));
  return { add, remove: current.filter((one) => !wanted.includes(one)) };
}
