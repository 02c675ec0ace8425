import type { Context, Person, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { may } from "../../people/user-groups/may";
import { requireFreeEmail } from "../../people/users/email-address";
import { findVisibleUser } from "../../people/users/onlooker";
import { findUserByEmail, isPlaceholderEmail } from "../../people/users/queries";
import { requireAcceptedDomain } from "../../realm/domains/accepted";
import { parseRealmSettings } from "../../realm/settings";

/**
 * Refuses somebody another address of their own that the organization does not accept, and where
 * only administrators change addresses (BAD_REQUEST).
 */
async function requireMayChangeEmail(tx: Tx, ctx: Context<Person>, email: string): Promise<void> {
  const { email_changes_disabled } = parseRealmSettings(ctx.realm.settings);
  if (email_changes_disabled && !(await may(tx, ctx, { role: "administrator" }))) {
    throw badRequest("In this organization, e-mail addresses are changed by administrators.");
  }
  await requireAcceptedDomain(tx, ctx.realm, email);
}

/**
 * Refuses somebody what `requireMayChangeEmail` does, and an address that somebody has
 * (BAD_REQUEST).
 */
export async function requireNewEmail(tx: Tx, ctx: Context<Person>, email: string): Promise<void> {
  await requireMayChangeEmail(tx, ctx, email);
  await requireFreeEmail(tx, ctx.realm, email, ctx.actor.user.id);
}

/**
 * Refuses (BAD_REQUEST) to mail somebody a link to a new address of their own, as `requireNewEmail`
 * does. But an address that somebody has and hides from them passes: only who opens the link, in
 * that very mailbox, learns that it is taken.
 */
export async function requireEmailToProve(
  tx: Tx,
  ctx: Context<Person>,
  email: string,
): Promise<void> {
  const holder = isPlaceholderEmail(ctx.realm, email)
    ? undefined
    : await findUserByEmail(tx, ctx.realm.id, email);
  const isHidden = holder !== undefined && (await findVisibleUser(tx, ctx, email)) === undefined;
  await (isHidden ? requireMayChangeEmail : requireNewEmail)(tx, ctx, email);
}
