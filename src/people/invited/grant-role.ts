import type { UserRow } from "../../core/context";
import { roles } from "../../core/rights/role";

/**
 * Whether somebody may invite people with a role: only administrators may invite moderators and
 * administrators, and only owners may invite owners.
 */
export function mayGrantRole(inviter: Pick<UserRow, "role">, role: number): boolean {
  if (role <= roles.owner) return inviter.role <= roles.owner;
  return inviter.role <= (role <= roles.moderator ? roles.administrator : roles.member);
}
