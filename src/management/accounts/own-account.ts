import { changedFacts } from "../../core/audit";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import type { Connection } from "../../core/endpoint";
import { ApiError, badRequest, refusedFor } from "../../core/errors";
import { isMailOn } from "../../letters/relay";
import { withdrawInvitationsTo } from "../../people/invited/store";
import { validateUserSetting } from "../../people/settings/user-settings";
import { may } from "../../people/user-groups/may";
import { changeUserRow } from "../../people/users/change-row";
import { cleanEmail } from "../../people/users/email-address";
import { cleanFullName, requireUniqueName } from "../../people/users/names";
import { emailKeyOf } from "../../people/users/queries";
import { parseRealmSettings } from "../../realm/settings";
import { endLoginLinks, endOtherKeys } from "../../sign-in/api-keys";
import { signInWithPassword } from "../../sign-in/password-sign-in";
import { hashPasswordOf } from "../../sign-in/passwords";
import { askForAddressIn } from "./address-change";
import { requireEmailToProve, requireNewEmail } from "./new-email";

/** Changes that people make to their own account; fields that are left out stay unchanged. */
interface OwnAccountChange {
  fullName?: string | undefined;
  email?: string | undefined;
  timezone?: string | undefined;
  newPassword?: string | undefined;
  /** The current password: needed for a new address or password. */
  oldPassword?: string | undefined;
}

/** A checked change, with the new password hashed. */
export interface PreparedOwnAccount {
  fullName: string | undefined;
  email: string | undefined;
  timezone: string | undefined;
  passwordHash: string | undefined;
  /** The hash that the old password was compared with; undefined where none was needed. */
  provenHash: string | null | undefined;
}

/**
 * Checks the changes of somebody's own account, and hashes the new password. Refuses invalid
 * values, and a new address or password without the correct old password (BAD_REQUEST). Wrong
 * passwords count for the session that sent them, or for all API keys of the person, so that people
 * who are not signed in cannot use up the attempts.
 */
export async function prepareOwnAccount(
  ctx: Context<Person>,
  { fullName, email, timezone, newPassword, oldPassword }: OwnAccountChange,
  connection: Pick<Connection, "address" | "header">,
): Promise<PreparedOwnAccount> {
  const refusal = timezone === undefined ? undefined : validateUserSetting("timezone", timezone);
  if (refusal !== undefined) throw badRequest(refusal);
  const cleaned = email === undefined ? undefined : cleanEmail(email);
  const prepared = {
    // Clients send the current name back, which stays valid even by older rules.
    fullName:
      fullName === undefined || fullName === ctx.actor.user.fullName
        ? undefined
        : cleanFullName(fullName),
    // Compared with the address as of the request, because their address may change before this is
    // stored.
    email: cleaned === ctx.actor.user.email ? undefined : cleaned,
    timezone,
  };
  if (newPassword === undefined && prepared.email === undefined) {
    return { ...prepared, passwordHash: undefined, provenHash: undefined };
  }
  const provenHash = await proveOldPassword(ctx, oldPassword, connection);
  const { email: emailNow, fullName: nameNow } = ctx.actor.user;
  const holder = { email: prepared.email ?? emailNow, fullName: prepared.fullName ?? nameNow };
  const passwordHash =
    newPassword === undefined ? undefined : await hashPasswordOf(ctx.app, holder, newPassword);
  return { ...prepared, passwordHash, provenHash };
}

/** Answers the hash of the verified password. */
async function proveOldPassword(
  ctx: Context<Person>,
  password: string | undefined,
  connection: Pick<Connection, "address" | "header">,
) {
  if (password === undefined) {
    throw badRequest(
      "Send your current password as old_password to change your address or your password.",
    );
  }
  const attempt = { email: ctx.actor.user.email, password, connection, by: ctx.actor };
  return signInWithPassword(ctx, attempt, async (_tx, { passwordHash }) => passwordHash).catch(
    (error: unknown) => {
      throw error instanceof ApiError && error.code === "AUTHENTICATION_FAILED"
        ? wrongPassword()
        : error;
    },
  );
}

const wrongPassword = () =>
  refusedFor("password-now", "That is not your current password, or there were too many attempts.");

/**
 * Changes one's own account, as part of a write; answers the row afterwards. A new address takes
 * effect at once or, where mail is configured, once they have opened the link that is mailed to it.
 * A new password ends all API keys and sessions except the one of this request, with their queues
 * and held polls. Either ends unused login links. Invitations of a new address are withdrawn;
 * event: invites_changed. The caller announces the rest (`announceAccountChange`), together with
 * who may read the address. Refuses changes that the organization does not allow, and a name or an
 * address in use (BAD_REQUEST).
 */
export async function updateOwnAccountIn(
  tx: Tx,
  ctx: Context<Person>,
  change: PreparedOwnAccount,
): Promise<UserRow> {
  const { user } = ctx.actor;
  if (Object.values(change).every((value) => value === undefined)) return user;
  const {
    fullName = user.fullName,
    email = user.email,
    timezone = user.timezone,
    passwordHash,
    provenHash,
  } = change;
  if (provenHash !== undefined && provenHash !== user.passwordHash) throw wrongPassword();
  if (fullName !== user.fullName) await requireName(tx, ctx, fullName);
  const isAsked = email !== user.email && isMailOn(ctx.app.config);
  if (email !== user.email) await (isAsked ? requireEmailToProve : requireNewEmail)(tx, ctx, email);
  const address = isAsked ? {} : { email, emailKey: emailKeyOf(email) };
  const after = await changeUserRow(tx, user, {
    fullName,
    ...address,
    timezone,
    ...(passwordHash === undefined ? {} : { passwordHash }),
  });
  if (after.emailKey !== user.emailKey)
    await withdrawInvitationsTo(tx, after.realmId, after.emailKey);
  // Ends keys and sessions, because somebody else may have known the old password.
  if (passwordHash !== undefined) await endOtherKeys(tx, user.realmId, user.id, ctx.actor.apiKeyId);
  // Login links went to the former address, or to somebody who knew the old password.
  if (provenHash !== undefined) await endLoginLinks(tx, user.realmId, [user.id]);
  if (isAsked) await askForAddressIn(tx, ctx, email);
  auditOwn(tx, ctx, { ...user, fullName, ...address }, passwordHash !== undefined);
  return after;
}

/** Notes a new name, address or password; a new time zone is nobody else's business. */
function auditOwn(tx: Tx, ctx: Context<Person>, after: UserRow, hasNewPassword: boolean) {
  const { user } = ctx.actor;
  const shown = ({ fullName, email }: UserRow) => ({ full_name: fullName, email });
  const changed = changedFacts(shown(user), shown(after));
  const act = { kind: "user", ids: [user.id], ...changed } as const;
  if (hasNewPassword) tx.audit(ctx, { ...act, action: "user.change_password" });
  else if (Object.keys(changed.after).length > 0) tx.audit(ctx, { ...act, action: "user.update" });
}

/**
 * Refuses a change of the name where the organization does not allow them; administrators may still
 * change theirs.
 */
async function requireName(tx: Tx, ctx: Context<Person>, fullName: string) {
  const { name_changes_disabled } = parseRealmSettings(ctx.realm.settings);
  if (name_changes_disabled && !(await may(tx, ctx, { role: "administrator" }))) {
    throw badRequest("In this organization, names are changed by administrators.");
  }
  await requireUniqueName(tx, ctx.realm, fullName, ctx.actor.user.id);
}
