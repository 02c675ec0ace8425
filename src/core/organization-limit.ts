import { daySeconds } from "./clock";
import type { Actor, Context, UserRow } from "./context";
import { badRequest } from "./errors";
import { holdsRole, isUnbound } from "./rights/role";

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

/** A kind of objects of which one person may make so many in a day. */
interface LimitedPerDay {
  /** Such as `channels`. */
  what: string;
  /** The key of the configuration. */
  key: string;
  /** The limit; 0 for none. */
  perDay: number;
  /** Counts the objects that somebody's accounts have made since a time. */
  countMadeSince: (maker: UserRow, since: number) => Promise<number>;
}

/**
 * Refuses (BAD_REQUEST) `more` new objects of a kind, if the actor would have made more than they
 * may in a day. Administrators have no such limit, because they set an organization up; the
 * operator has none either.
 */
export async function requireWithinDay(
  { actor, now }: Pick<Context, "actor" | "now">,
  { what, key, perDay, countMadeSince }: LimitedPerDay,
  more: number,
): Promise<void> {
  if (perDay === 0 || isUnbound(actor) || !("user" in actor)) return;
  if (holdsRole(actor, "administrator")) return;
  if ((await countMadeSince(actor.user, now - daySeconds)) + more <= perDay) return;
  throw badRequest(
    `You can create ${perDay} ${what} per day, including those of your bots: wait a day, or ask the operator to raise ${key}.`,
  );
}
