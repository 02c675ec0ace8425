import type { UserRow } from "../../core/context";
import { type Role, roles } from "../../core/rights/role";
import { reactivateUserIn } from "../../management/accounts/deactivate";
import { renameUserIn } from "../../management/accounts/update";
import { emailKeyOf, isPlaceholderEmail } from "../../people/users/queries";
import type { Change } from "./change";
import type { Declaration } from "./declaration";
import { refuseRepeated } from "./file/decode";
import type { Path, Problem } from "./file/problems";
import type { Account, Planning } from "./planning";
import type { Stored } from "./stored";
import { userId } from "./work";

/** The default role of a new user. */
export const defaultRole: Role = roles.member;

/** All accounts as they are after the plan, by the key of their e-mail address. */
export function accountsAfter({ users, bots }: Declaration, stored: Stored): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const user of stored.users) {
    const { id, email, botType, isActive, role } = user;
    accounts.set(user.emailKey, { id, email, isBot: botType !== null, isActive, role });
  }
  const declare = (email: string, isBot: boolean, role?: number) => {
    const earlier = accounts.get(emailKeyOf(email));
    const account = {
      id: earlier?.id,
      isBot,
      isActive: true,
      role: role ?? earlier?.role ?? defaultRole,
    };
    accounts.set(emailKeyOf(email), { ...account, email: earlier?.email ?? email });
  };
  for (const { email, role } of users) declare(email, false, role);
  for (const { email } of bots) declare(email, true);
  return accounts;
}

/**
 * Adds a problem for each address that is repeated among people and bots, or has the form of a
 * placeholder.
 */
export function checkAddresses({ realm, users, bots }: Declaration, problems: Problem[]) {
  const addressesOf = (part: string, accounts: readonly { email: string }[]) =>
    accounts.map(({ email }, index) => ({
      path: [part, index, "email"],
      name: emailKeyOf(email),
      shown: email,
    }));
  const addresses = [...addressesOf("users", users), ...addressesOf("bots", bots)];
  refuseRepeated(problems, addresses);
  for (const { path, name, shown } of addresses) {
    if (name === "" || !isPlaceholderEmail(realm, name)) continue;
    const message = `${shown} stands for a user whose real address is not shown. Use another address.`;
    problems.push({ path, message });
  }
}

/**
 * Accounts by the keys of their e-mail addresses. They are cached for each list of users that was
 * read.
 */
const byKey = new WeakMap<Stored["users"], ReadonlyMap<string, UserRow>>();

export function findStoredAccount({ users }: Stored, email: string): UserRow | undefined {
  const found = byKey.get(users) ?? new Map(users.map((user) => [user.emailKey, user]));
  byKey.set(users, found);
  return found.get(emailKeyOf(email));
}

/** Whether an address is free for this kind of account; adds a problem if it is not. */
export function isUsable(
  { stored, problems }: Planning,
  email: string,
  path: Path,
  isBot: boolean,
): boolean {
  const isSystemBot = stored.systemBots.some(({ emailKey }) => emailKey === emailKeyOf(email));
  const storedAccount = findStoredAccount(stored, email);
  const isOtherKind = storedAccount !== undefined && (storedAccount.botType !== null) !== isBot;
  if (!isSystemBot && !isOtherKind) return true;
  const owner = isSystemBot ? "a bot of the system" : isBot ? "a person" : "a bot";
  problems.push({ path, message: `'${email}' is the address of ${owner}.` });
  return false;
}

/** Changes that apply to both people and bots. */
export const changesOfAccount = (
  path: Path,
  { email, name }: { email: string; name: string },
  row: UserRow,
): Change[] => [
  ...(row.isActive ? [] : [reactivate(path, email)]),
  ...(row.fullName === name ? [] : [rename(path, email, name)]),
];

const reactivate = (path: Path, email: string): Change => ({
  lines: [`~ user ${email}: reactivated`],
  path,
  carryOut: (work) => reactivateUserIn(work.tx, work.ctx, userId(work, email)),
});

const rename = (path: Path, email: string, name: string): Change => ({
  lines: [`~ user ${email}: name ${name}`],
  path,
  carryOut: (work) => renameUserIn(work.tx, work.ctx, userId(work, email), name),
});
