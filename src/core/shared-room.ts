import type { Actor } from "./context";
import { badRequest } from "./errors";
import { holdsRole } from "./role";

/** A kind of objects whose number in an organization has a limit, which the operator sets. */
interface Shared {
  /** Such as `channels, archived ones included`. */
  what: string;
  /** The key of the configuration. */
  key: string;
  most: number;
}

/** The last tenth is reserved for administrators, so that nobody else can use up the limit. */
const keptPart = 1 / 10;

/**
 * Refuses (BAD_REQUEST) a change by which an organization would have `count` objects of a kind, if
 * that is over the limit. 0 as limit allows any number.
 */
export function requireSharedRoom(actor: Actor, { what, key, most }: Shared, count: number): void {
  if (most === 0) return;
  const raise = `ask the operator to raise ${key}.`;
  if (count > most) throw badRequest(`An organization can have ${most} ${what}: ${raise}`);
  const kept = Math.floor(most * keptPart);
  if (count <= most - kept || holdsRole(actor, "administrator")) return;
  throw badRequest(
    `An organization can have ${most} ${what}, and the last ${kept} are for administrators: ask one of them, or ${raise}`,
  );
}
