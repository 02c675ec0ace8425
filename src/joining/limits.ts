import { and, eq, gt, lte } from "drizzle-orm";
import { daySeconds } from "../core/clock";
import type { Context, Tx, UserRow } from "../core/context";
import { isUnbound } from "../core/rights/role";

/** Id under which requests for a link to join are counted: no account has it. */
const nobody = 0;

/**
 * Whether an inviter, or the organization, would mail more addresses in a day than the operator
 * allows. The operator has no limit.
 */
export async function isOverDailyLimit(
  tx: Tx,
  ctx: Context,
  inviter: UserRow,
  count: number,
): Promise<boolean> {
  if (isUnbound(ctx.actor)) return false;
  const { invitationsPerDayPerUser: ofUser, invitationsPerDayPerRealm: ofRealm } = ctx.app.config;
  if (ofUser === 0 && ofRealm === 0) return false;
  const recent = (await listRecent(tx, ctx.realm.id)).filter(
    ({ inviterId }) => inviterId !== nobody,
  );
  const ofInviter = recent.filter(({ inviterId }) => inviterId === inviter.id);
  return (
    (ofUser > 0 && ofInviter.length + count > ofUser) ||
    (ofRealm > 0 && recent.length + count > ofRealm)
  );
}

function listRecent({ db, now, t: { invitationsSent } }: Tx, realmId: number) {
  return db
    .select({ inviterId: invitationsSent.inviterId })
    .from(invitationsSent)
    .where(and(eq(invitationsSent.realmId, realmId), gt(invitationsSent.sentAt, now - daySeconds)));
}

/**
 * Whether too many people have asked for a link to join today. The limit is that of the
 * organization's invitations, but counted separately, so that strangers cannot use up the
 * invitations.
 */
export async function isOverAskingLimit(
  tx: Tx,
  { app, realm }: Pick<Context, "app" | "realm">,
): Promise<boolean> {
  const { invitationsPerDayPerRealm: most } = app.config;
  if (most === 0) return false;
  const asked = (await listRecent(tx, realm.id)).filter(({ inviterId }) => inviterId === nobody);
  return asked.length >= most;
}

/** Counts a request for a link to join. */
export const noteAsking = (tx: Tx, realmId: number): Promise<void> =>
  noteSent(tx, realmId, nobody, 1);

/** Counts mails to addresses, and deletes counts that are older than a day. */
export async function noteSent(
  tx: Tx,
  realmId: number,
  inviterId: number,
  count: number,
): Promise<void> {
  const { invitationsSent } = tx.t;
  await tx.db
    .delete(invitationsSent)
    .where(
      and(eq(invitationsSent.realmId, realmId), lte(invitationsSent.sentAt, tx.now - daySeconds)),
    )
    .returning({ id: invitationsSent.id });
  const row = { realmId, inviterId, sentAt: tx.now };
  if (count === 0) return;
  await tx.db
    .insert(invitationsSent)
    .values(Array.from({ length: count }, () => row))
    .returning({ id: invitationsSent.id });
}
