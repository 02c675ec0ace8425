import { type Static, Type } from "@sinclair/typebox";
import type { App, Context, Tx, UserRow } from "../../core/context";
import { type Input, record, text } from "../../core/params";
import { requireAdministrator, requireOwner } from "../../core/rights/permission";
import { type Role, roles } from "../../core/rights/role";
import { onlyRow, write } from "../../core/write";
import { withdrawInvitationsTo } from "../../people/invited/store";
import { initialSettings } from "../../people/settings/defaults";
import { announceNewMember } from "../../people/user-groups/system-groups";
import { announceAccount } from "../../people/users/announce";
import { defaultAvatarSource } from "../../people/users/avatar-source";
import { cleanEmail, requireFreeEmail } from "../../people/users/email-address";
import { cleanFullName, requireUniqueName } from "../../people/users/names";
import { emailKeyOf } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { requireAcceptedDomain } from "../../realm/domains/accepted";
import { loadRealm } from "../../realm/queries";
import { hashPasswordOf } from "../../sign-in/passwords";
import { subscribeToDefaults } from "../subscriptions/service";
import { welcomeNewcomer } from "./welcome";

export interface NewUser {
  email: string;
  fullName: string;
  role: Role;
  /** Without one, nobody can sign in with a password. */
  password?: string;
  /** For people whom others add: they count as having joined at their first sign-in. */
  awaitsFirstSignIn?: boolean;
  /** Code of their language, for people who join by themselves; else the organization's. */
  language?: string | undefined;
}

/** A checked new account, with the password hashed. */
export interface PreparedUser {
  email: string;
  fullName: string;
  role: Role;
  passwordHash: string | null;
  awaitsFirstSignIn?: boolean;
  language?: string | undefined;
}

/** Columns of a new account that have no default. */
type NewAccount = PreparedUser &
  Pick<UserRow, "botType" | "botOwnerId"> & { isImportedStub?: boolean };

/**
 * Checks the values of a new person and hashes the password. Refuses invalid values (BAD_REQUEST).
 */
export async function prepareUser(app: App, input: NewUser): Promise<PreparedUser> {
  const email = cleanEmail(input.email);
  const fullName = cleanFullName(input.fullName);
  const passwordHash =
    input.password === undefined
      ? null
      : await hashPasswordOf(app, { email, fullName }, input.password);
  return {
    email,
    fullName,
    role: input.role,
    passwordHash,
    awaitsFirstSignIn: input.awaitsFirstSignIn ?? false,
    language: input.language,
  };
}

/**
 * Adds a person, as part of a write; answers the row. A person who is not a guest is subscribed to
 * the default channels. Events: realm_user add, those of subscribing, and user_group add_members of
 * the role's groups, to the realm. Refuses an address that is in use or that the organization does
 * not accept, and a name in use where names must be unique (BAD_REQUEST). Only administrators may
 * add people, and only owners may add owners.
 */
export async function createUserIn(tx: Tx, ctx: Context, prepared: PreparedUser): Promise<UserRow> {
  requireAdministrator(ctx.actor);
  if (prepared.role <= roles.owner) requireOwner(ctx.actor);
  return addPersonIn(tx, ctx, prepared, async ({ id, role }) => {
    if (role !== roles.guest) await subscribeToDefaults(tx, ctx, id);
  });
}

/**
 * Adds a person without a check of rights, for people who join by themselves; `subscribe`
 * subscribes them to their first channels. Invitations of the address are withdrawn, so that nobody
 * else can use them.
 */
export async function addPersonIn(
  tx: Tx,
  ctx: Context,
  prepared: PreparedUser,
  subscribe: (user: UserRow) => Promise<void>,
): Promise<UserRow> {
  await requireUniqueName(tx, ctx.realm, prepared.fullName);
  await requireAcceptedDomain(tx, ctx.realm, prepared.email);
  const user = await insertAccount(tx, ctx, { ...prepared, botType: null, botOwnerId: null });
  const after = { email: user.email, full_name: user.fullName, role: user.role };
  tx.audit(ctx, { action: "user.create", kind: "user", ids: [user.id], after });
  await withdrawInvitationsTo(tx, ctx.realm.id, user.emailKey);
  await announceAccount(tx, user);
  await subscribe(user);
  await announceNewMember(tx, ctx, user);
  return user;
}

/**
 * Adds a person to the organization, and welcomes them; see `createUserIn` and `welcomeNewcomer`.
 */
export async function createUser(ctx: Context, input: NewUser): Promise<UserRow> {
  requireAdministrator(ctx.actor);
  const prepared = await prepareUser(ctx.app, input);
  return write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const user = await createUserIn(tx, current, prepared);
    await welcomeNewcomer(tx, current, user);
    return user;
  });
}

export const CreateUser = record({ email: text(), password: text(), fullName: text() });
export const CreatedUser = record({ user_id: Type.Integer() });

/** Adds a member with a password, for administrators; answers their id. See `createUserIn`. */
export async function createMember(
  ctx: Context,
  input: Input<typeof CreateUser>,
): Promise<Static<typeof CreatedUser>> {
  const user = await createUser(ctx, { ...input, role: roles.member, awaitsFirstSignIn: true });
  return { user_id: user.id };
}

/**
 * Stores the account of a person, with the realm's settings for new users, or of a bot, without
 * events. Refuses an address in use (BAD_REQUEST).
 */
export async function insertAccount(
  tx: Tx,
  ctx: Context,
  { language, ...account }: NewAccount,
): Promise<UserRow> {
  const { users } = tx.t;
  await requireFreeEmail(tx, ctx.realm, account.email);
  const settings =
    account.botType === null ? initialSettings(await loadRealm(tx, ctx.realm.id), language) : "{}";
  const avatarSource = defaultAvatarSource(ctx.app.config, ctx.realm);
  const rows = await tx.db
    .insert(users)
    .values({
      ...account,
      settings,
      realmId: ctx.realm.id,
      emailKey: emailKeyOf(account.email),
      avatarSource,
      createdAt: tx.now,
    })
    .returning();
  return onlyRow(rows);
}
