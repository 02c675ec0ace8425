import type { UserRow } from "../../../core/context";
import { findRole, type Role, roleName, roleNames, roles } from "../../../core/rights/role";
import { createUserIn } from "../../../management/accounts/create";
import { deactivateUserIn } from "../../../management/accounts/deactivate";
import { storePasswordIn, updateUserRoleIn } from "../../../management/accounts/update";
import { cleanEmail } from "../../../people/users/email-address";
import { cleanFullName } from "../../../people/users/names";
import {
  emailKeyOf,
  isActivePerson,
  listSystemBots,
  listUsers,
} from "../../../people/users/queries";
import { lengthsMax, passwordLengthMin } from "../../../protocol/limits";
import { listAwaitedPasswords } from "../../../sign-in/declared-passwords";
import {
  changesOfAccount,
  checkAddresses,
  defaultRole,
  findStoredAccount,
  isUsable,
} from "../accounts";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import type { Dumping } from "../dumping";
import {
  type Item,
  type Node,
  openMapping,
  readItems,
  readText,
  requireText,
} from "../file/decode";
import type { Path, Problem } from "../file/problems";
import { firstOwner } from "../first-start";
import type { Planning } from "../planning";
import { userId } from "../work";
import { prunedBotLine } from "./bots";

export interface DeclaredUser {
  email: string;
  name: string;
  /** The role of the user. A new user without one becomes a member. */
  role: Role | undefined;
  /** The password, which is only set for a user who has none. */
  password: string | undefined;
}

/** People, identified by their addresses. */
export const users: Declarable = {
  read: (root) => ({
    users: readItems(root, "users").map((item) => readUser(root.problems, item)),
  }),
  // Addresses of people and bots are checked together, because addresses are unique among all
  // accounts.
  check: checkAddresses,
  load: async ({ app, reader, realm }) => ({
    users: await listUsers(reader, realm.id),
    awaitedPasswords: await listAwaitedPasswords(app, reader, realm.id),
    systemBots: await listSystemBots(reader, realm.id),
  }),
  plan: planUsers,
  dump: (dumping) => ({ users: dumpUsers(dumping) }),
  prune: { part: "users", changes: pruneUsers },
};

function readUser(problems: Problem[], { path, value }: Item): DeclaredUser {
  const node = openMapping(problems, path, value, "a user", ["email", "name", "role", "password"]);
  const role = readText(node, "role", (text) => text);
  if (role !== undefined && findRole(role) === undefined) {
    problems.push({
      path: [...path, "role"],
      message: `there is no role '${role}'. Roles: ${roleNames.join(", ")}.`,
    });
  }
  const password = readText(node, "password", (text) => text);
  checkPassword(node, password);
  return {
    email: requireText(node, "email", cleanEmail),
    name: requireText(node, "name", cleanFullName),
    role: role === undefined ? undefined : findRole(role),
    password,
  };
}

function checkPassword({ problems, path }: Node, password: string | undefined) {
  const [min, max] = [passwordLengthMin, lengthsMax.password];
  const length = password === undefined ? min : [...password].length;
  if (length >= min && length <= max) return;
  problems.push({
    path: [...path, "password"],
    message: `a password must have ${min} to ${max} characters.`,
  });
}

/** Plans changes of people. New owners come first, so that the organization always has an owner. */
function planUsers(planning: Planning) {
  const { declaration, stored, changes } = planning;
  const usable = declaration.users
    .map((user, index) => ({ user, path: ["users", index] }))
    .filter(({ user, path }) => isUsable(planning, user.email, [...path, "email"], false));
  for (const { user, path } of usable)
    if (!findStoredAccount(stored, user.email)) changes.push(addUser(path, user));
  const storedUsers = usable.flatMap(({ user, path }) => {
    const row = findStoredAccount(stored, user.email);
    return row ? [{ user, path, row }] : [];
  });
  const byRole = storedUsers.toSorted(
    (a, b) => (a.user.role ?? roles.guest) - (b.user.role ?? roles.guest),
  );
  for (const { user, path, row } of byRole) {
    const isAwaited = stored.awaitedPasswords.get(row.id) === user.password;
    changes.push(...changesOfUser(path, user, row, row.passwordHash !== null || isAwaited));
  }
  const left = findLeftOwner(planning);
  if (left) changes.push(deactivateLeftOwner(left));
}

/**
 * The owner that a first start without a file has made, if the file declares another owner instead.
 * Such an account can be deactivated, because only its printed key gives access and nobody reads
 * mail at its address. An owner who has signed in or has bots uses the account, and stays.
 */
function findLeftOwner({ declaration: { users: people, bots }, stored }: Planning) {
  const row = findStoredAccount(stored, firstOwner.email);
  const isDeclared = [...people, ...bots].some(({ email }) => email === firstOwner.email);
  const hasOwner = people.some(({ role }) => role === roles.owner);
  const isFirst = row?.fullName === firstOwner.name && row.role === roles.owner;
  const isAsMade = isFirst && row.isActive && row.awaitsFirstSignIn && row.passwordHash === null;
  const hasBots = stored.users.some(
    ({ botOwnerId, isActive }) => isActive && botOwnerId === row?.id,
  );
  return isAsMade && !hasBots && hasOwner && !isDeclared ? row : undefined;
}

const deactivateLeftOwner = ({ id, email }: UserRow): Change => ({
  lines: [`- user ${email}: the owner of the first start, who is not declared, is deactivated`],
  path: ["users"],
  carryOut: ({ tx, ctx }) => deactivateUserIn(tx, ctx, id),
});

const changesOfUser = (
  path: Path,
  { email, name, role, password }: DeclaredUser,
  row: UserRow,
  hasPassword: boolean,
): Change[] => [
  ...changesOfAccount(path, { email, name }, row),
  ...(role === undefined || role === row.role ? [] : [changeRole(path, email, role)]),
  ...(password === undefined || hasPassword ? [] : [setPassword(path, email, password)]),
];

/**
 * Adds a person. Without a hash the account has no password at first, and a later change sets it.
 */
const addUser = (
  path: Path,
  { email, name, role = defaultRole, password }: DeclaredUser,
): Change => ({
  lines: [`+ user ${email} (${roleName(role)})`],
  path,
  password: password === undefined ? undefined : { email, password, isAll: false },
  addedEmail: email,
  async carryOut({ tx, ctx, hashes, users: ids }) {
    const passwordHash = hashes.get(email) ?? null;
    const awaitsFirstSignIn = password === undefined;
    const user = { email, fullName: name, role, passwordHash, awaitsFirstSignIn };
    const { id, emailKey } = await createUserIn(tx, ctx, user);
    ids.set(emailKey, id);
  },
});

const changeRole = (path: Path, email: string, role: Role): Change => ({
  lines: [`~ user ${email}: role ${roleName(role)}`],
  path,
  carryOut: (work) => updateUserRoleIn(work.tx, work.ctx, userId(work, email), role),
});

const setPassword = (path: Path, email: string, password: string): Change => ({
  lines: [`~ user ${email}: password`],
  path,
  password: { email, password, isAll: true },
  carryOut: (work) =>
    storePasswordIn(work.tx, work.ctx, userId(work, email), work.hashes.get(email) ?? ""),
});

/**
 * People as the file declares them. Passwords are left out, because only their hashes are stored.
 */
const dumpUsers = ({ accounts }: Dumping) =>
  [...accounts.values()]
    .filter(({ botType }) => botType === null)
    .map(({ email, fullName, role }) => ({ email, name: fullName, role: roleName(role) }));

/** Deactivates undeclared people, and their bots with them. */
function pruneUsers(planning: Planning): Change[] {
  const declared = new Set(planning.declaration.users.map(({ email }) => emailKeyOf(email)));
  const left = findLeftOwner(planning);
  return planning.stored.users
    .filter((user) => isActivePerson(user) && !declared.has(user.emailKey) && user.id !== left?.id)
    .map((user) => pruneUser(user, botsEndedWith(planning, user)));
}

/** Active bots of a person, without those that a change before deactivates. */
const botsEndedWith = ({ stored, changes }: Planning, { id }: UserRow): UserRow[] => {
  const lines = new Set(changes.flatMap((change) => change.lines));
  return stored.users.filter(
    (bot) => bot.isActive && bot.botOwnerId === id && !lines.has(prunedBotLine(bot)),
  );
};

const pruneUser = ({ id, email }: UserRow, bots: readonly UserRow[]): Change => ({
  lines: [
    `- user ${email}: not declared, deactivated`,
    ...bots.map((bot) => `- bot ${bot.email}: its owner is deactivated`),
  ],
  path: ["users"],
  prunes: "users",
  endedBots: bots.map((bot) => bot.id),
  carryOut: ({ tx, ctx }) => deactivateUserIn(tx, ctx, id),
});
