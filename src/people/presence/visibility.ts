import type { Context, Tx, UserRow } from "../../core/context";
import { tellPresence } from "./announce";
import { findPresences, isShared } from "./queries";
import { storeRows } from "./record";
import { offlineSeconds } from "./wire";

/**
 * Consequences, in a write, of somebody's becoming visible or invisible: who is visible again is
 * there now; of who is invisible all that others are told is that they are gone. Announces
 * `presence`, which is not stored, to those who see them.
 */
export async function followVisibilityIn(tx: Tx, ctx: Context, before: UserRow, after: UserRow) {
  const { realm } = ctx;
  if (isShared(before) === isShared(after)) return;
  if (isShared(after)) {
    const seen = { userId: after.id, activeAt: tx.now, connectedAt: tx.now };
    await storeRows(tx, realm.id, [seen]);
    await tellPresence(tx, ctx, after, seen);
    return;
  }
  const [presence] = await findPresences(tx, realm.id, [after.id]);
  if (!presence) return;
  const gone = tx.now - offlineSeconds - 1;
  const activeAt = presence.activeAt === null ? null : Math.min(presence.activeAt, gone);
  await tellPresence(tx, ctx, after, {
    activeAt,
    connectedAt: Math.min(presence.connectedAt, gone),
  });
}
