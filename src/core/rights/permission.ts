import type { Actor } from "../context";
import { administratorRequired, ownerRequired } from "../errors";
import { holdsRole } from "./role";

/** Refuses all but administrators and the operator (UNAUTHORIZED_PRINCIPAL). */
export function requireAdministrator(actor: Actor) {
  if (!holdsRole(actor, "administrator")) throw administratorRequired();
}

/** Refuses all but owners and the operator (UNAUTHORIZED_PRINCIPAL). */
export function requireOwner(actor: Actor) {
  if (!holdsRole(actor, "owner")) throw ownerRequired();
}
