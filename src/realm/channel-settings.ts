import { eq } from "drizzle-orm";
import type { Tx } from "../core/context";
import { refusedFor } from "../core/errors";
import { parseStoredSettings } from "../core/rights/group-setting";
import { realmPropertyUpdated } from "./events";
import { loadRealm } from "./queries";

const none = -1;

/** Whether a setting of the organization is the id of a channel. */
export const namesChannel = (setting: string) => /_(?:channel|stream)_id$/.test(setting);

const forReports = "moderation_request_channel_id";

/** Whether a setting names the channel for reports of messages, which must be private. */
export const namesChannelForReports = (setting: string) => setting === forReports;

/** Reports quote private messages. */
export const reportsArePrivate = () =>
  refusedFor("reports-private", "The channel that reports of messages go to must be private.");

/** Part of making a private channel public. Refuses the channel for reports (BAD_REQUEST). */
export async function requireNotForReports(
  tx: Tx,
  realmId: number,
  channelId: number,
): Promise<void> {
  const { settings } = await loadRealm(tx, realmId);
  if (parseStoredSettings(settings)[forReports] === channelId) throw reportsArePrivate();
}

/**
 * Part of archiving a channel: unsets the settings that name it. Event: realm update for each of
 * them, to the realm.
 */
export async function releaseChannelIn(tx: Tx, realmId: number, channelId: number): Promise<void> {
  const { realms } = tx.t;
  const realm = await loadRealm(tx, realmId);
  const stored = parseStoredSettings(realm.settings);
  const named = Object.keys(stored).filter(
    (setting) => namesChannel(setting) && stored[setting] === channelId,
  );
  if (named.length === 0) return;
  for (const setting of named) delete stored[setting];
  await tx.db
    .update(realms)
    .set({ settings: JSON.stringify(stored) })
    .where(eq(realms.id, realmId))
    .returning({ id: realms.id });
  for (const property of named)
    await tx.emit({ to: "realm" }, realmPropertyUpdated({ property, value: none }));
}
