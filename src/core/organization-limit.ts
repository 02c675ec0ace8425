import type { Actor } from "./context";
import { badRequest } from "./errors";
import { holdsRole } from "./rights/role";

/** A kind of objects whose number in an organization has a limit, which the operator sets. */
interface Limited {
  /** Such as `channels, archived ones included`. */
  what: string;
  /** The key of the configuration. */
  key: string;
  /** The limit; 0 for none. */
  most: number;
}

/** The last tenth is reserved for administrators, so that nobody else can use up the limit. */
const reservedPart = 1 / 10;

/**
 * Refuses (BAD_REQUEST) a change by which an organization would have `count` objects of a kind, if
 * that is over the limit, or takes from the part that is reserved for administrators.
 */
export function requireWithinLimit(
  actor: Actor,
  { what, key, most }: Limited,
  count: number,
): void {
  if (most === 0) return;
  const raise = `ask the operator to raise ${key}.`;
  if (count > most) throw badRequest(`An organization can have ${most} ${what}: ${raise}`);
  const reserved = Math.floor(most * reservedPart);
  if (count <= most - reserved || holdsRole(actor, "administrator")) return;
  throw badRequest(
    `An organization can have ${most} ${what}, and the last ${reserved} are for administrators: ask one of them, or ${raise}`,
  );
}
