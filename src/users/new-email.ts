import type { Context, Person, Tx } from "../core/context";
import { badRequest } from "../core/errors";
import { requireAcceptedDomain } from "../domains/accepted";
import { parseRealmSettings } from "../realm/settings";
import { may } from "../user-groups/may";
import { requireFreeEmail } from "./create";

/**
 * Refuses somebody another address of their own that the organization does not accept or somebody has, and where only
 * administrators change addresses (BAD_REQUEST).
 */
export async function requireNewEmail(tx: Tx, ctx: Context<Person>, email: string): Promise<void> {
  const { email_changes_disabled } = parseRealmSettings(ctx.realm.settings);
  if (email_changes_disabled && !(await may(tx, ctx, { role: "administrator" }))) {
    throw badRequest("In this organization, e-mail addresses are changed by administrators.");
  }
  await requireAcceptedDomain(tx, ctx.realm, email);
  await requireFreeEmail(tx, ctx.realm, email, ctx.actor.user.id);
}
