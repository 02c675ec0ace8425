import { and, eq } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { daySeconds } from "../../core/clock";
import type { RealmMoment, UserRow } from "../../core/context";
import { roles } from "../../core/rights/role";
import { cached } from "../../memory/cached";
import type { SystemGroupName } from "../../protocol/system-groups";
import { waitingPeriodDays } from "../../realm/queries";

const selectSystemGroups = statement((db, t, given: Given<{ realmId: number }>) =>
  db
    .select({ id: t.userGroups.id, name: t.userGroups.name })
    .from(t.userGroups)
    .where(and(eq(t.userGroups.realmId, given.realmId), eq(t.userGroups.isSystem, true))),
);

/** The ids of the realm's system groups by name (`role:members`, …). */
export const systemGroupIds = cached(
  ["user_groups"],
  async (reader, realmId): Promise<Readonly<Record<string, number>>> => {
    const rows = await selectSystemGroups(reader, { realmId });
    return Object.fromEntries(rows.map(({ id, name }) => [name, id]));
  },
);

export const isFullMember = (user: Pick<UserRow, "createdAt">, days: number, now: number) =>
  user.createdAt + days * daySeconds <= now;

/**
 * The system groups that somebody is in directly, by their role and, for members, the age of the
 * account.
 */
export function directSystemGroups(
  user: Pick<UserRow, "role" | "createdAt">,
  { realm, now }: RealmMoment,
): SystemGroupName[] {
  return groupsOfRole(user, waitingPeriodDays(realm), now);
}

export function groupsOfRole(
  user: Pick<UserRow, "role" | "createdAt">,
  days: number,
  now: number,
): SystemGroupName[] {
  if (user.role <= roles.owner) return ["role:owners"];
  if (user.role <= roles.administrator) return ["role:administrators"];
  if (user.role <= roles.moderator) return ["role:moderators"];
  if (user.role > roles.member) return ["role:everyone"];
  return isFullMember(user, days, now) ? ["role:members", "role:fullmembers"] : ["role:members"];
}

/** Whether somebody is in a system group, directly or through a group that it contains. */
export function isInSystemGroup(
  user: UserRow,
  name: SystemGroupName,
  { realm, now }: RealmMoment,
): boolean {
  switch (name) {
    case "role:internet":
    case "role:everyone":
      return true;
    case "role:members":
      return user.role <= roles.member;
    case "role:fullmembers":
      if (user.role !== roles.member) return user.role < roles.member;
      return isFullMember(user, waitingPeriodDays(realm), now);
    case "role:moderators":
      return user.role <= roles.moderator;
    case "role:administrators":
      return user.role <= roles.administrator;
    case "role:owners":
      return user.role <= roles.owner;
    case "role:nobody":
      return false;
  }
}
