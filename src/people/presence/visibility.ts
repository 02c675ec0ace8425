import type { Context, Tx, UserRow } from "../../core/context";
import { tellPresence } from "./announce";
import { findPresences, isShared } from "./queries";
import { storeRows } from "./record";
import { offlineSeconds } from "./wire";

/**
 * Announces in a write that somebody has become visible or invisible: a visible person counts as
 * present now, an invisible one as gone. Event: presence, which is not stored, to people who see
 * them.
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
