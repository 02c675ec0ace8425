import { and, eq, gt, lte } from "drizzle-orm";
import type { Context, Tx, UserRow } from "../core/context";
import { isUnbound } from "../core/role";

const daySeconds = 86_400;

/**
 * Whether an inviter, or the organization, would write to more addresses in a day than the operator allows. The operator
 * themself is not bound.
 */
export async function isOverDailyLimit(tx: Tx, ctx: Context, inviter: UserRow, count: number): Promise<boolean> {
  if (isUnbound(ctx.actor)) return false;
  const { invitationsPerDayPerUser: ofUser, invitationsPerDayPerRealm: ofRealm } = ctx.app.config;
  if (ofUser === 0 && ofRealm === 0) return false;
  const { invitationsSent } = tx.t;
  const recent = await tx.db
    .select({ inviterId: invitationsSent.inviterId })
    .from(invitationsSent)
    .where(and(eq(invitationsSent.realmId, ctx.realm.id), gt(invitationsSent.sentAt, tx.now - daySeconds)));
  const own = recent.filter(({ inviterId }) => inviterId === inviter.id);
  return (ofUser > 0 && own.length + count > ofUser) || (ofRealm > 0 && recent.length + count > ofRealm);
}

/** Notes that so many addresses were written to, and forgets what is older than a day. */
export async function noteSent(tx: Tx, realmId: number, inviterId: number, count: number): Promise<void> {
  const { invitationsSent } = tx.t;
  await tx.db
    .delete(invitationsSent)
    .where(and(eq(invitationsSent.realmId, realmId), lte(invitationsSent.sentAt, tx.now - daySeconds)))
    .returning({ id: invitationsSent.id });
  const row = { realmId, inviterId, sentAt: tx.now };
  if (count === 0) return;
  await tx.db
    .insert(invitationsSent)
    .values(Array.from({ length: count }, () => row))
    .returning({ id: invitationsSent.id });
}
