import { Type } from "@sinclair/typebox";
import { eq } from "drizzle-orm";
import type { Config } from "../../config/config";
import { daySeconds } from "../../core/clock";
import type { Context, RealmRow, Tx } from "../../core/context";
import { accessDenied, badRequest, ownerRequired } from "../../core/errors";
import { either, type Input, integer, optional, record } from "../../core/params";
import { write } from "../../core/write";
import { endRealmQueues } from "../../events/queues";
import { requireMay } from "../../people/user-groups/may";
import { renewContext } from "../../people/users/renew-context";
import { realmDeactivated } from "../../realm/events";
import { loadRealm } from "../../realm/queries";

/** Longest delay before data is deleted, unless the server sets a shorter one. */
const deletionDelayDaysMax = 36_500;

export const DeactivateRealm = record({
  deletionDelayDays: optional(either(integer(), Type.Null())),
});

/** Deactivates an organization; see `deactivateRealmIn`. */
export async function deactivateRealm(
  ctx: Context,
  input: Input<typeof DeactivateRealm>,
): Promise<undefined> {
  const days = input.deletionDelayDays ?? null;
  await write(ctx, async (tx) => deactivateRealmIn(tx, await renewContext(tx, ctx), days));
}

/**
 * Deactivates an organization, as part of a write: nobody can use it any more. Its data is kept, or
 * deleted after `deletionDelayDays`; until then the operator can reactivate it. Event: realm
 * deactivated, to the realm; all event queues end with it, held polls at once. For owners
 * (UNAUTHORIZED_PRINCIPAL). Refuses a delay that the server does not allow, and a deactivated
 * organization (BAD_REQUEST).
 */
export async function deactivateRealmIn(
  tx: Tx,
  ctx: Context,
  deletionDelayDays: number | null,
): Promise<void> {
  await requireMay(tx, ctx, ownerRequired, { role: "owner" });
  const realm = await loadRealm(tx, ctx.realm.id);
  requireDeactivatable(ctx, realm, deletionDelayDays);
  const deletionAt = deletionDelayDays === null ? null : tx.now + deletionDelayDays * daySeconds;
  await storeActivity(tx, realm, { isActive: false, deletionAt });
  await tx.emit({ to: "realm" }, realmDeactivated({ realm_id: realm.id }));
  await endRealmQueues(tx, realm.id, { isDeactivated: true });
  tx.audit(ctx, { action: "realm.deactivate", kind: "realm", after: { deletion_at: deletionAt } });
}

/** Refuses a delay that the server does not allow, and a deactivated organization (BAD_REQUEST). */
export function requireDeactivatable(
  { app }: Pick<Context, "app">,
  { name, isActive }: RealmRow,
  deletionDelayDays: number | null,
): void {
  requireDelay(app.config, deletionDelayDays);
  if (!isActive) throw badRequest(`${name} is already deactivated.`);
}

function requireDelay(config: Config, days: number | null) {
  const { minDeactivatedRealmDeletionDays: min, maxDeactivatedRealmDeletionDays: max } = config;
  if (days !== null && days < min)
    throw badRequest(`The data must be kept for at least ${min} days.`);
  if (days === null ? max !== undefined : days > (max ?? deletionDelayDaysMax)) {
    throw badRequest(
      `The data must be deleted after ${max ?? deletionDelayDaysMax} days at the latest.`,
    );
  }
}

/** Reactivates an organization, for the operator; see `reactivateRealmIn`. */
export async function reactivateRealm(ctx: Context): Promise<void> {
  await write(ctx, (tx) => reactivateRealmIn(tx, ctx));
}

/**
 * Reactivates an organization, as part of a write: everybody's keys work again. Announced to
 * nobody, because nobody is connected. Refuses all but the operator, an active organization, and
 * one whose data is being deleted.
 */
export async function reactivateRealmIn(tx: Tx, ctx: Context): Promise<void> {
  await requireMay(tx, ctx, () =>
    accessDenied("Only the operator of the server can reactivate an organization."),
  );
  const realm = await loadRealm(tx, ctx.realm.id);
  if (realm.isActive) throw badRequest(`${realm.name} is active.`);
  if (isDeletionDue(realm, tx.now)) throw badRequest(`The data of ${realm.name} is being deleted.`);
  await storeActivity(tx, realm, { isActive: true, deletionAt: null });
  const before = { deletion_at: realm.deletionAt };
  tx.audit(ctx, { action: "realm.reactivate", kind: "realm", before });
}

/** Value instead of the deletion's time once it has begun: a time that is past on every clock. */
export const deletionBegun = 0;

/** Whether the deletion of an organization's data is due, or has begun. `now` is UNIX seconds. */
export const isDeletionDue = ({ isActive, deletionAt }: RealmRow, now: number) =>
  !isActive && deletionAt !== null && deletionAt <= now;

async function storeActivity(
  tx: Tx,
  { id }: RealmRow,
  activity: Pick<RealmRow, "isActive" | "deletionAt">,
) {
  const { realms } = tx.t;
  await tx.db.update(realms).set(activity).where(eq(realms.id, id)).returning({ id: realms.id });
}
