import type { Actor, UserRow } from "../core/context";
import { administratorRequired, ownerRequired } from "../core/errors";
import { holdsRole, roles } from "../core/role";

/** Refuses all but administrators and the operator (UNAUTHORIZED_PRINCIPAL). */
export function requireAdministrator(actor: Actor) {
  if (!holdsRole(actor, "administrator")) throw administratorRequired();
}

/** Refuses all but owners and the operator (UNAUTHORIZED_PRINCIPAL). */
export function requireOwner(actor: Actor) {
  if (!holdsRole(actor, "owner")) throw ownerRequired();
}

/** Administrators manage accounts, but those of owners only owners do. */
export function requireMayManage(actor: Actor, target: UserRow) {
  requireAdministrator(actor);
  if (target.role <= roles.owner) requireOwner(actor);
}
