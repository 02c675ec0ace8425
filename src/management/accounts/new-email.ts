import type { Context, Person, Tx } from "../../core/context";
import { refusedFor } from "../../core/errors";
import { may } from "../../people/user-groups/may";
import { requireFreeEmail } from "../../people/users/email-address";
import { findUserByEmail, isPlaceholderEmail } from "../../people/users/queries";
import { findVisibleUser } from "../../people/users/viewer";
import { requireAcceptedDomain } from "../../realm/domains/accepted";
import { parseRealmSettings } from "../../realm/settings";

/**
 * Refuses a new address of the actor's that the organization does not accept, and any where only
 * administrators change addresses (BAD_REQUEST).
 */
async function requireMayChangeEmail(tx: Tx, ctx: Context<Person>, email: string): Promise<void> {
  const { email_changes_disabled } = parseRealmSettings(ctx.realm.settings);
  if (email_changes_disabled && !(await may(tx, ctx, { role: "administrator" }))) {
    throw refusedFor(
      "addresses-by-administrators",
      "In this organization, e-mail addresses are changed by administrators.",
    );
  }
  await requireAcceptedDomain(tx, ctx.realm, email);
}

/** Refuses as `requireMayChangeEmail` does, and an address in use (BAD_REQUEST). */
export async function requireNewEmail(tx: Tx, ctx: Context<Person>, email: string): Promise<void> {
  await requireMayChangeEmail(tx, ctx, email);
  await requireFreeEmail(tx, ctx.realm, email, ctx.actor.user.id);
}

/**
 * Refuses (BAD_REQUEST) a new address of the actor's that a link would be mailed to, as
 * `requireNewEmail` does. But it accepts an address of somebody who hides it from the actor,
 * because only the owner of that mailbox, who opens the link, may learn that it is in use.
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
