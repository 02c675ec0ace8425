import type { Actor } from "./context";
import { badRequest } from "./errors";
import { holdsRole } from "./role";

/** A kind of thing of which an organization may have so many, as its operator has set it. */
interface Shared {
  /** Such as `channels, archived ones included`. */
  what: string;
  /** The key of the configuration; 0: any number. */
  key: string;
  most: number;
}

/** The last tenth is left to administrators, so that nobody else can take all there is. */
const keptPart = 1 / 10;

/**
 * Refuses (BAD_REQUEST) somebody who would have an organization keep `count` of something, where it
 * may not.
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
