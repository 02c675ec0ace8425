import { Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { announceVisibilityBetween } from "../../channels/announce-visibility";
import { daySeconds } from "../../core/clock";
import type { App } from "../../core/context";
import { roles } from "../../core/rights/role";
import { write } from "../../core/write";
import { defineJob } from "../../jobs/define";
import { groupMembersAdded } from "../../people/user-groups/events";
import { listUsers } from "../../people/users/queries";
import { systemGroupIds } from "../../people/users/system-group-membership";
import { listRealms, loadRealm, waitingPeriodDays } from "../../realm/queries";

const key = "realm";
/** A waiting period is a day or longer, so a check every hour misses no newcomer's end. */
const checkSeconds = 3_600;

/**
 * Announces people whose waiting period ends, at the time of its end, because clients keep the
 * members of role:fullmembers and do not count days. Events: user_group add_members, to the realm,
 * and those of `announceVisibilityBetween`, to these people. `after` is the last end that was
 * announced, in UNIX seconds. Ends where the organization has no waiting period any more.
 */
export const fullMembersJob = defineJob(
  "full-members",
  Type.Object({ after: Type.Integer() }),
  async (_ctx, { after }) =>
    async (tx, ctx) => {
      const realm = await loadRealm(tx, ctx.realm.id);
      const days = waitingPeriodDays(realm);
      if (days === 0 || !realm.isActive) return undefined;
      const waits = (await listUsers(tx, realm.id))
        .filter(({ isActive, role }) => isActive && role === roles.member)
        .map((user) => ({ user, endsAt: user.createdAt + days * daySeconds }));
      const users = waits
        .filter(({ endsAt }) => after < endsAt && endsAt <= tx.now)
        .map(({ user }) => user);
      const user_ids = users.map(({ id }) => id);
      const { "role:fullmembers": group_id = 0 } = await systemGroupIds(tx, realm.id);
      if (users.length > 0) {
        await tx.emit({ to: "realm" }, groupMembersAdded({ group_id, user_ids }));
        await announceVisibilityBetween(tx, { realm, now: after }, { realm, now: tx.now }, users);
      }
      const at = waits.reduce(
        (next, { endsAt }) => (endsAt > tx.now ? Math.min(next, endsAt) : next),
        tx.now + checkSeconds,
      );
      return { payload: { after: tx.now }, at };
    },
  { attemptsMax: Number.MAX_SAFE_INTEGER },
);

/** Makes sure that each active realm with a waiting period has its job. */
export async function beginFullMembers(app: App): Promise<void> {
  const { reader } = app.engine;
  const { jobs } = reader.t;
  const isTheirs = (realmId: number) =>
    and(eq(jobs.realmId, realmId), eq(jobs.name, fullMembersJob.name), eq(jobs.key, key));
  for (const realm of await listRealms(reader)) {
    if (!realm.isActive || waitingPeriodDays(realm) === 0) continue;
    if ((await reader.db.$count(jobs, isTheirs(realm.id))) > 0) continue;
    await write({ app, realm, now: app.clock.now() }, async (tx) => {
      if ((await tx.db.$count(jobs, isTheirs(realm.id))) > 0) return;
      // From a little earlier on, because an end that is told twice is better than none.
      await fullMembersJob.enqueue(tx, { app, realm }, { after: tx.now - checkSeconds }, { key });
    });
  }
}
