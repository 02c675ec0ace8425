import type { Reader } from "../../../db/reader";
import type { Actor, Context, UserRow } from "../../core/context";
import { administratorRequired, badRequest, ownerRequired } from "../../core/errors";
import { holdsRole, roles } from "../../core/role";
import { requireMay } from "../user-groups/may";

/** Refuses all but administrators and the operator (UNAUTHORIZED_PRINCIPAL). */
export function requireAdministrator(actor: Actor) {
  if (!holdsRole(actor, "administrator")) throw administratorRequired();
}

/** Refuses all but owners and the operator (UNAUTHORIZED_PRINCIPAL). */
export function requireOwner(actor: Actor) {
  if (!holdsRole(actor, "owner")) throw ownerRequired();
}

/**
 * Administrators manage accounts (else BAD_REQUEST), but those of owners only owners do
 * (UNAUTHORIZED_PRINCIPAL). Nobody manages the bots of the system.
 */
export async function requireMayManage(reader: Reader, ctx: Context, target: UserRow) {
  const refusal = () =>
    badRequest("You do not have permission to manage this account: ask an administrator.");
  await requireMay(reader, ctx, refusal, { role: "administrator" });
  if (target.isSystemBot) throw badRequest("The bots of the system cannot be changed.");
  if (target.role <= roles.owner) await requireMay(reader, ctx, ownerRequired, { role: "owner" });
}
