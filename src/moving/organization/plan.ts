import { mergeConfig } from "../../bots/details";
import type { UserRow } from "../../core/context";
import { roles } from "../../core/role";
import type { BotRow } from "../../people/bots/queries";
import { emailKeyOf } from "../../people/users/queries";
import { type Change, defaultRole } from "./changes";
import type { Declaration, DeclaredUser } from "./declaration";
import { botKindName, type DeclaredBot } from "./declared-bots";
import { planChannels } from "./plan-channels";
import { planGroups } from "./plan-groups";
import { planPictures } from "./plan-pictures";
import { planNamesInRealm, planNewRealm, planRealm } from "./plan-realm";
import { planDomains, planThings } from "./plan-things";
import { type Account, findNamed, type Plan, type Planning } from "./planning";
import type { Path } from "./problems";
import type { Stored } from "./stored";

/**
 * Compares a declaration with what is stored. It adds and updates: accounts, groups and channels
 * that are not declared stay as they are. Declared people are active; the members of declared
 * groups, and of channels with a list, are made exact. Only what depends on what is stored is
 * judged; `parseDeclaration` has refused the rest.
 */
export function planChanges(declaration: Declaration, stored: Stored): Plan {
  const planning = {
    declaration,
    stored,
    accounts: accountsAfter(declaration, stored),
    changes: [],
    problems: [],
  };
  planNewRealm(planning);
  planDomains(planning);
  planRealm(planning);
  planThings(planning);
  planPictures(planning);
  planUsers(planning);
  planBots(planning);
  planGroups(planning);
  planChannels(planning);
  planNamesInRealm(planning);
  return { changes: planning.changes, problems: planning.problems };
}

function accountsAfter({ users, bots }: Declaration, stored: Stored): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const user of stored.users) {
    const { id, email, botType, isActive, role } = user;
    accounts.set(user.emailKey, { id, email, isBot: botType !== null, isActive, role });
  }
  const declare = (email: string, isBot: boolean, role?: number) => {
    const known = accounts.get(emailKeyOf(email));
    const account = {
      id: known?.id,
      isBot,
      isActive: true,
      role: role ?? known?.role ?? defaultRole,
    };
    accounts.set(emailKeyOf(email), { ...account, email: known?.email ?? email });
  };
  for (const { email, role } of users) declare(email, false, role);
  for (const { email } of bots) declare(email, true);
  return accounts;
}

const findStored = ({ users }: Stored, email: string) =>
  users.find(({ emailKey }) => emailKey === emailKeyOf(email));

/** Whether an address is free for this kind of account; noted as a problem when it is not. */
function isUsable(
  { stored, problems }: Planning,
  email: string,
  path: Path,
  isBot: boolean,
): boolean {
  const isSystemBot = stored.systemBots.some(({ emailKey }) => emailKey === emailKeyOf(email));
  const known = findStored(stored, email);
  const isOtherKind = known !== undefined && (known.botType !== null) !== isBot;
  if (!isSystemBot && !isOtherKind) return true;
  const owner = isSystemBot ? "a bot of the system" : isBot ? "a person" : "a bot";
  problems.push({ path, message: `'${email}' is the address of ${owner}.` });
  return false;
}

/** New owners of the organization come first, so that it never is without an owner. */
function planUsers(planning: Planning) {
  const { declaration, stored, changes } = planning;
  const usable = declaration.users.filter(({ email }, index) =>
    isUsable(planning, email, ["users", index, "email"], false),
  );
  for (const user of usable)
    if (!findStored(stored, user.email)) changes.push({ kind: "addUser", user });
  const known = usable.flatMap((user) => {
    const row = findStored(stored, user.email);
    return row ? [{ user, row }] : [];
  });
  const byRole = known.toSorted(
    (a, b) => (a.user.role ?? roles.guest) - (b.user.role ?? roles.guest),
  );
  for (const { user, row } of byRole) changes.push(...changesOfUser(user, row));
}

function changesOfUser({ email, name, role, password }: DeclaredUser, row: UserRow): Change[] {
  return [
    ...changesOfAccount({ email, name }, row),
    ...(role === undefined || role === row.role
      ? []
      : [{ kind: "changeRole" as const, email, role }]),
    ...(password === undefined || row.passwordHash !== null
      ? []
      : [{ kind: "setPassword" as const, email, password }]),
  ];
}

function changesOfAccount(
  { email, name }: Pick<DeclaredUser | DeclaredBot, "email" | "name">,
  row: UserRow,
): Change[] {
  return [
    ...(row.isActive ? [] : [{ kind: "reactivateUser" as const, email }]),
    ...(row.fullName === name ? [] : [{ kind: "renameUser" as const, email, name }]),
  ];
}

function planBots(planning: Planning) {
  const { declaration, stored, changes, problems } = planning;
  declaration.bots.forEach((bot, index) => {
    if (!isUsable(planning, bot.email, ["bots", index, "email"], true)) return;
    const path = ["bots", index, "owner"];
    const owner = findNamed(planning, bot.owner, path);
    if (!owner) return;
    const row = findStored(stored, bot.email);
    if (owner.isBot)
      problems.push({
        path,
        message: `'${bot.owner}' is a bot: a person must own '${bot.email}'.`,
      });
    else if (!row) changes.push({ kind: "addBot", bot });
    else if (row.botOwnerId !== owner.id)
      problems.push({ path, message: `'${bot.email}' has another owner, who stays.` });
    else if (row.botType !== bot.kind) {
      const message = `'${bot.email}' is of the kind ${botKindName(row.botType)}, which stays.`;
      problems.push({ path: ["bots", index, "kind"], message });
    } else
      changes.push(
        ...changesOfAccount(bot, row),
        ...changesOfService(bot, stored.bots.get(row.id)),
      );
  });
}

/** Changes by the file to the way a bot is reached; an embedded bot stays one. */
function changesOfService(
  { email, details: declared }: DeclaredBot,
  row: BotRow | undefined,
): Change[] {
  const { payloadUrl = row?.payloadUrl, interfaceType = row?.interfaceType } = declared;
  const before = row?.configData ?? "{}";
  const serviceName = declared.serviceName ?? row?.serviceName ?? "";
  const configData =
    declared.configData === undefined
      ? before
      : mergeConfig(serviceName, before, JSON.parse(declared.configData));
  const details = {
    ...(payloadUrl === row?.payloadUrl ? {} : { payloadUrl }),
    ...(interfaceType === row?.interfaceType ? {} : { interfaceType }),
    ...(configData === before ? {} : { configData }),
  };
  return Object.keys(details).length === 0 ? [] : [{ kind: "changeBot", email, details }];
}
