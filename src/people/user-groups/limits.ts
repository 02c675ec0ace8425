import { and, count, eq, gt, inArray } from "drizzle-orm";
import type { Context, Tx, UserRow } from "../../core/context";
import { requireWithinDay, requireWithinLimit } from "../../core/organization-limit";
import { isUnbound } from "../../core/rights/role";
import { ownAccounts } from "../users/own-accounts";

/**
 * Refuses (BAD_REQUEST) more new groups than the actor may make in a day, or the organization may
 * have. There are limits because each `register` contains all groups, and none is ever deleted. A
 * group that a bot makes counts for its owner. Administrators have no daily limit, because they set
 * an organization up; the operator has no limit at all.
 */
export async function requireRoomForGroup(tx: Tx, { app, realm, actor }: Context): Promise<void> {
  if (isUnbound(actor)) return;
  const { userGroupsPerDayPerUser: perDay, userGroupsPerRealmMax: most } = app.config;
  const shared = {
    what: "user groups, deactivated ones included",
    key: "user_groups_per_realm_max",
    most,
  };
  requireWithinLimit(actor, shared, (await countGroups(tx, realm.id)) + 1);
  await requireWithinDay(
    { actor, now: tx.now },
    {
      what: "user groups",
      key: "user_groups_per_day_per_user",
      perDay,
      countMadeSince: (maker, since) => countMadeSince(tx, maker, since),
    },
    1,
  );
}

async function countGroups({ db, t: { userGroups } }: Tx, realmId: number): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(userGroups)
    .where(and(eq(userGroups.realmId, realmId), eq(userGroups.isSystem, false)));
  return row?.count ?? 0;
}

async function countMadeSince(tx: Tx, maker: UserRow, since: number): Promise<number> {
  const { userGroups } = tx.t;
  const isTheirs = inArray(userGroups.creatorId, ownAccounts(tx, maker));
  const [row] = await tx.db
    .select({ count: count() })
    .from(userGroups)
    .where(and(eq(userGroups.realmId, maker.realmId), gt(userGroups.createdAt, since), isTheirs));
  return row?.count ?? 0;
}
