import { and, count, eq, gt, inArray } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Context, UserRow } from "../core/context";
import { requireWithinDay, requireWithinLimit } from "../core/organization-limit";
import { isUnbound } from "../core/rights/role";
import { ownAccounts } from "../people/users/own-accounts";

/**
 * Refuses (BAD_REQUEST) more new channels than the actor may make in a day, or the organization may
 * have. There are limits because each `register` contains all channels, and none is ever deleted. A
 * channel that a bot makes counts for its owner. Administrators have no daily limit, because they
 * set an organization up; the operator has no limit at all.
 */
export async function requireRoomForChannels(
  reader: Reader,
  ctx: Context,
  more: number,
): Promise<void> {
  const { app, realm, actor } = ctx;
  if (more === 0 || isUnbound(actor)) return;
  const { channelsPerDayPerUser: perDay, channelsPerRealmMax: most } = app.config;
  const shared = { what: "channels, archived ones included", key: "channels_per_realm_max", most };
  requireWithinLimit(actor, shared, (await countChannels(reader, realm.id)) + more);
  await requireWithinDay(
    ctx,
    {
      what: "channels",
      key: "channels_per_day_per_user",
      perDay,
      countMadeSince: (maker, since) => countMadeSince(reader, maker, since),
    },
    more,
  );
}

const selectCount = statement((db, { channels }, given: Given<{ realmId: number }>) =>
  db.select({ count: count() }).from(channels).where(eq(channels.realmId, given.realmId)),
);

async function countChannels(reader: Reader, realmId: number): Promise<number> {
  const [row] = await selectCount(reader, { realmId });
  return row?.count ?? 0;
}

async function countMadeSince(reader: Reader, maker: UserRow, since: number): Promise<number> {
  const { channels } = reader.t;
  const isTheirs = inArray(channels.creatorId, ownAccounts(reader, maker));
  const [row] = await reader.db
    .select({ count: count() })
    .from(channels)
    .where(and(eq(channels.realmId, maker.realmId), gt(channels.createdAt, since), isTheirs));
  return row?.count ?? 0;
}
