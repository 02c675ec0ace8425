import { isSystemGroupName } from "../../core/rights/group-setting";
import { emailKeyOf } from "../../people/users/queries";
import type { Change } from "./change";
import type { Declaration } from "./declaration";
import type { Path, Problem } from "./file/problems";
import { roleHint } from "./lookup";
import type { Stored } from "./stored";

/**
 * Changes that make the stored organization match the declared one, in order, and problems that
 * prevent such changes.
 */
export interface Plan {
  changes: Change[];
  problems: Problem[];
}

/** An account after the plan. `id` is undefined for an account to be added. */
export interface Account {
  id: number | undefined;
  email: string;
  isBot: boolean;
  isActive: boolean;
  role: number;
}

/** Data that the parts of a plan share. */
export interface Planning extends Plan {
  declaration: Declaration;
  stored: Stored;
  /** All accounts after the plan, by the key of their address. */
  accounts: ReadonlyMap<string, Account>;
}

/**
 * An account by its e-mail address, in this file or in the organization; adds a problem if it is
 * missing or deactivated.
 */
export function findNamed(
  { accounts, problems }: Planning,
  email: string,
  path: Path,
): Account | undefined {
  const account = accounts.get(emailKeyOf(email));
  if (account?.isActive) return account;
  const message = account
    ? `the account of '${email}' is deactivated. Declare it among the users to reactivate it.`
    : `nobody has the e-mail address '${email}', here or in the organization.`;
  problems.push({ path, message });
  return undefined;
}

/** The addresses of stored users who are active after the plan. */
export function activeEmails(
  { accounts }: Planning,
  ids: ReadonlySet<number> = new Set(),
): string[] {
  const active = [...accounts.values()].filter(
    ({ id, isActive }) => isActive && id !== undefined && ids.has(id),
  );
  return active.map(({ email }) => email);
}

/** Names to add to the current ones, and names to remove, to get exactly the wanted ones. */
export function differenceOf(wanted: readonly string[], current: readonly string[]) {
  const [wantedNames, currentNames] = [new Set(wanted), new Set(current)];
  const add = [...wantedNames].filter((one) => !currentNames.has(one));
  return { add, remove: current.filter((one) => !wantedNames.has(one)) };
}

/** A group of the organization by its name. */
export const findStoredGroup = ({ stored }: Planning, name: string) =>
  stored.groups.find(({ group }) => group.name === name);

/**
 * Whether a named group is in the file or in the organization; adds a problem if it is missing or
 * deactivated.
 */
export function requireUsable(planning: Planning, name: string, path: Path): boolean {
  const { declaration, problems } = planning;
  if (isSystemGroupName(name) || declaration.groups.some((group) => group.name === name))
    return true;
  const storedGroup = findStoredGroup(planning, name);
  if (storedGroup?.group.isActive) return true;
  const message = storedGroup
    ? `the group '${name}' is deactivated. Declare it among the groups to reactivate it.`
    : `there is no group '${name}', here or in the organization.${roleHint(name)}`;
  problems.push({ path, message });
  return false;
}

const namesShownMax = 20;

/** Names as text for people. Of many names it has only the first ones. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namesShownMax).join(", ");
  return names.length > namesShownMax ? `${shown} and ${names.length - namesShownMax} more` : shown;
}
