import { subscriberIds } from "../../src/channels/subscribers";
import type { Context, UserRow } from "../../src/core/context";
import { badRequest } from "../../src/core/errors";
import { findRole, type RoleName, roleName } from "../../src/core/rights/role";
import { makeApiKey } from "../../src/core/secrets/secrets";
import { isMailOn } from "../../src/letters/relay";
import { createUser } from "../../src/management/accounts/create";
import {
  deactivateUser,
  reactivateUser,
  requireDeactivatable,
} from "../../src/management/accounts/deactivate";
import { updateUser as updateVerb } from "../../src/management/accounts/manage";
import {
  requireTakesPassword,
  setPassword,
  updateUserRole,
} from "../../src/management/accounts/update";
import { countAccount } from "../../src/moving/figures/consequences";
import {
  listAccounts,
  loadAccount,
  loadChannelId,
  loadNamedGroup,
} from "../../src/moving/organization/lookup";
import { listMemberIds } from "../../src/people/user-groups/queries";
import { cleanEmail } from "../../src/people/users/email-address";
import { cleanFullName } from "../../src/people/users/names";
import { findUserByEmail } from "../../src/people/users/queries";
import { printAdded } from "../addition";
import { isAgreed, type Plan } from "../consent";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printNotice, printResult, UsageError } from "../output";
import { readPassword } from "../password";
import { readValue } from "../read-value";

const generatedLength = 20;

const shown = (user: UserRow) => ({
  user_id: user.id,
  email: user.email,
  full_name: user.fullName,
  role: roleName(user.role),
  is_active: user.isActive,
  is_deleted: user.isDeleted,
  is_bot: user.botType !== null,
});

function roleNamed(name: string) {
  const role = findRole(name);
  if (role === undefined) throw new UsageError(`There is no role '${name}'.`);
  return role;
}

/** `chatd admin user add EMAIL --name NAME --role ROLE [--password-stdin] [--if-missing]` */
export async function addUser(
  email: string,
  options: RealmOptions & { name: string; role: RoleName; passwordStdin?: boolean },
) {
  readValue(() => [cleanEmail(email), cleanFullName(options.name)]);
  const role = roleNamed(options.role);
  await printAdded(
    options,
    "user",
    (ctx) => ({
      find: () => findUserByEmail(ctx.reader, ctx.realm.id, email),
      add: async () => {
        const password = options.passwordStdin ? await readPassword() : undefined;
        return createUser(ctx, { email, fullName: options.name, role, password });
      },
      added: (user) => `Added ${user.email} (${options.role}).`,
      describe: describeAccount,
    }),
    shown,
  );
}

const describeAccount = ({ id, email, fullName, role, isActive }: UserRow) =>
  `${email} already exists: ${fullName} (ID ${id}, ${roleName(role)}${isActive ? "" : ", deactivated"}).`;

interface Listed {
  channel?: string;
  group?: string;
}

/**
 * `chatd admin user list [--channel NAME] [--group NAME]`: people and bots, also deactivated ones;
 * or the active ones that subscribe to a channel, or belong to a group or its subgroups.
 */
export async function listUsers(options: RealmOptions & Listed) {
  const users = await withOperator(options, (ctx) => listSome(ctx, options));
  const rows = users.map((user) => [
    String(user.id),
    user.email,
    user.fullName,
    roleName(user.role),
    user.botType === null ? "person" : "bot",
    stateOf(user),
  ]);
  printResult(
    options,
    { users: users.map(shown) },
    formatTable(["ID", "E-MAIL", "NAME", "ROLE", "KIND", "STATE"], rows),
  );
}

function stateOf({ isActive, isDeleted }: UserRow): string {
  if (isDeleted) return "deleted";
  return isActive ? "active" : "deactivated";
}

async function listSome(ctx: Context, { channel, group }: Listed): Promise<readonly UserRow[]> {
  const { reader, realm } = ctx;
  const lists: ReadonlySet<number>[] = [];
  if (channel !== undefined)
    lists.push(new Set(await subscriberIds(reader, realm.id, await loadChannelId(ctx, channel))));
  if (group !== undefined)
    lists.push(new Set(await listMemberIds(reader, ctx, await loadNamedGroup(ctx, group))));
  return (await listAccounts(ctx)).filter(({ id }) => lists.every((ids) => ids.has(id)));
}

/** `chatd admin user role EMAIL ROLE` */
export async function changeRole(email: string, role: RoleName, options: RealmOptions) {
  const user = await withOperator(options, async (ctx) => {
    await updateUserRole(ctx, (await loadAccount(ctx, email)).id, roleNamed(role));
    return loadAccount(ctx, email);
  });
  printResult(options, { user: shown(user) }, [`${user.email} is now ${roleName(user.role)}.`]);
}

/** `chatd admin user update EMAIL [--name NAME] [--email NEW-EMAIL]` */
export async function updateUser(
  email: string,
  options: RealmOptions & { name?: string; email?: string },
) {
  const { name: fullName, email: newEmail } = options;
  if (fullName === undefined && newEmail === undefined) {
    throw new UsageError("Nothing to change: give --name or --email.");
  }
  readValue(() => [newEmail && cleanEmail(newEmail), fullName && cleanFullName(fullName)]);
  const user = await withOperator(options, async (ctx) => {
    const { id } = await loadAccount(ctx, email);
    await updateVerb(ctx, { userIdOrEmail: String(id), fullName, newEmail });
    return loadAccount(ctx, newEmail ?? email);
  });
  printResult(options, { user: shown(user) }, [`Changed: ${user.fullName}, ${user.email}.`]);
}

/**
 * `chatd admin user deactivate EMAIL [--comment TEXT] [--revoke-keys]`: ends their connections and
 * deactivates their bots. Their keys do not work until they are reactivated, or never again. With a
 * comment, which may be empty, they get a mail.
 */
export async function deactivate(
  email: string,
  options: RealmOptions & { comment?: string; revokeKeys?: boolean },
) {
  const { comment, revokeKeys: revokesKeys } = options;
  const done = await withOperator(options, async (ctx) => {
    const account = await loadAccount(ctx, email);
    if (!(await isAgreed(options, await planDeactivation(ctx, account, revokesKeys))))
      return undefined;
    await deactivateUser(ctx, account.id, { comment, revokesKeys });
    return { user: await loadAccount(ctx, email), isTold: isMailOn(ctx.app.config) };
  });
  if (!done) return;
  const { user, isTold } = done;
  if (comment !== undefined && !isTold)
    printNotice("They were not notified, because no mail server is configured (smtp_relay_host).");
  printResult(options, { user: shown(user) }, [`Deactivated ${user.email}.`]);
}

async function planDeactivation(
  ctx: Context,
  account: UserRow,
  revokesKeys: boolean | undefined,
): Promise<Plan> {
  await requireDeactivatable(ctx.reader, account);
  return {
    act: `deactivate ${account.fullName} (${account.email})`,
    name: account.email,
    figures: await countAccount(ctx, account),
    notes: [`They come back with chatd admin user reactivate; ${comeBack(revokesKeys)}`],
  };
}

const comeBack = (revokesKeys = false) =>
  revokesKeys
    ? "their API keys never do."
    : "their API keys work again then. Sessions, bots and invitations stay ended.";

/** `chatd admin user reactivate EMAIL` */
export async function reactivate(email: string, options: RealmOptions) {
  const user = await withOperator(options, async (ctx) => {
    const account = await loadAccount(ctx, email);
    if (account.isActive) throw badRequest(`The account of ${account.email} is active.`);
    await reactivateUser(ctx, account.id);
    return loadAccount(ctx, email);
  });
  printResult(options, { user: shown(user) }, [
    `Reactivated ${user.email}. Their API keys work again, except revoked ones.`,
  ]);
}

/**
 * `chatd admin user password EMAIL [--generate] [--revoke-keys]`: sets the password from stdin, or
 * generates one and prints it. Says what ends with it, and what does not.
 */
export async function changePassword(
  email: string,
  options: RealmOptions & { generate?: boolean; revokeKeys?: boolean },
) {
  const { user, password } = await withOperator(options, async (ctx) => {
    const account = await loadAccount(ctx, email);
    requireTakesPassword(account);
    const password = options.generate
      ? makeApiKey().slice(0, generatedLength)
      : await readPassword();
    await setPassword(ctx, account.id, password, options.revokeKeys);
    return { user: account, password };
  });
  const generated = options.generate ? { password } : {};
  const line = options.generate ? password : `Set the password of ${user.email}.`;
  printResult(options, { user: shown(user), ...generated }, [line]);
  if (!options.json)
    printNotice(`Their sessions in browsers and login links have ended${endedKeys(options)}`);
}

const endedKeys = ({ revokeKeys }: { revokeKeys?: boolean }) =>
  revokeKeys
    ? ", and their API keys."
    : "; their API keys have not (--revoke-keys, or chatd admin api-key revoke).";
