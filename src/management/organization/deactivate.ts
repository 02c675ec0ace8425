import { Type } from "@sinclair/typebox";
import { eq } from "drizzle-orm";
import type { Config } from "../../config";
import type { Context, RealmRow, Tx } from "../../core/context";
import { accessDenied, badRequest, ownerRequired } from "../../core/errors";
import { either, type Input, integer, optional, record } from "../../core/params";
import { write } from "../../core/write";
import { endRealmQueues } from "../../events/queues";
import { requireMay } from "../../people/user-groups/may";
import { renewContext } from "../../people/users/renew-context";
import { realmDeactivated } from "../../realm/events";
import { loadRealm } from "../../realm/queries";

const daySeconds = 24 * 60 * 60;
/** Data may be kept so long before it is deleted, where the server does not say less. */
const deletionDelayDaysMax = 36_500;

export const DeactivateRealm = record({
  deletionDelayDays: optional(either(integer(), Type.Null())),
});

/** Ends an organization; see `deactivateRealmIn`. */
export async function deactivateRealm(
  ctx: Context,
  input: Input<typeof DeactivateRealm>,
): Promise<undefined> {
  const days = input.deletionDelayDays ?? null;
  await write(ctx, async (tx) => deactivateRealmIn(tx, await renewContext(tx, ctx), days));
}

/**
 * The part of deactivating an organization that runs in a write: nobody can do anything in it any
 * more. Its data is kept, or deleted after `deletionDelayDays`; until then the operator can bring
 * all back. Event: realm deactivated, to the realm; with it all event queues end, held polls at
 * once. For owners (UNAUTHORIZED_PRINCIPAL). Refuses a delay that the server does not allow, and a
 * deactivated organization (BAD_REQUEST).
 */
export async function deactivateRealmIn(
  tx: Tx,
  ctx: Context,
  deletionDelayDays: number | null,
): Promise<void> {
  await requireMay(tx, ctx, ownerRequired, { role: "owner" });
  requireDelay(ctx.app.config, deletionDelayDays);
  const realm = await loadRealm(tx, ctx.realm.id);
  if (!realm.isActive) throw badRequest(`${realm.name} is deactivated already.`);
  const deletionAt = deletionDelayDays === null ? null : tx.now + deletionDelayDays * daySeconds;
  await storeActivity(tx, realm, { isActive: false, deletionAt });
  await tx.emit({ to: "realm" }, realmDeactivated({ realm_id: realm.id }));
  await endRealmQueues(tx, realm.id);
}

function requireDelay(config: Config, days: number | null) {
  const { minDeactivatedRealmDeletionDays: min, maxDeactivatedRealmDeletionDays: max } = config;
  if (days !== null && days < min)
    throw badRequest(`The data must be kept for ${min} days at the least.`);
  if (days === null ? max !== undefined : days > (max ?? deletionDelayDaysMax)) {
    throw badRequest(
      `The data must be deleted after ${max ?? deletionDelayDaysMax} days at the latest.`,
    );
  }
}

/** Brings a deactivated organization back, for the operator; see `reactivateRealmIn`. */
export async function reactivateRealm(ctx: Context): Promise<void> {
  await write(ctx, (tx) => reactivateRealmIn(tx, ctx));
}

/**
 * The part of bringing an organization back that runs in a write: everybody's keys work again.
 * Announced to nobody, since nobody is connected. Refuses all but the operator, an active
 * organization, and one whose data is being deleted.
 */
export async function reactivateRealmIn(tx: Tx, ctx: Context): Promise<void> {
  await requireMay(tx, ctx, () =>
    accessDenied("Only the operator of the server can reactivate an organization."),
  );
  const realm = await loadRealm(tx, ctx.realm.id);
  if (realm.isActive) throw badRequest(`${realm.name} is active.`);
  if (isDeletionDue(realm, tx.now)) throw badRequest(`The data of ${realm.name} is being deleted.`);
  await storeActivity(tx, realm, { isActive: true, deletionAt: null });
}

/** Mark in place of the time of a deletion that has begun: it is past for everybody. */
export const deletionBegun = 0;

/**
 * Whether the time has come to delete the data of an organization, or that has begun. `now` is UNIX
 * seconds.
 */
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
