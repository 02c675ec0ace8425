import { eq } from "drizzle-orm";
import type { Tx } from "../core/context";
import { badRequest } from "../core/errors";
import { parseStoredSettings } from "../core/group-setting";
import { realmPropertyUpdated } from "./events";
import { loadRealm } from "./queries";

const none = -1;

/** Whether a setting of the organization is the id of a channel that it writes to. */
export const namesChannel = (setting: string) => /_(?:channel|stream)_id$/.test(setting);

const forReports = "moderation_request_channel_id";

/**
 * Whether a setting names the channel that reported messages are told in, whoever may read them.
 */
export const namesChannelForReports = (setting: string) => setting === forReports;

/** Reports hold what was said in private. */
export const reportsArePrivate = () =>
  badRequest("The channel that reports of messages go to must be private.");

/** Part of making a private channel public. Refuses the one that reports go to (BAD_REQUEST). */
export async function requireNotForReports(
  tx: Tx,
  realmId: number,
  channelId: number,
): Promise<void> {
  const { settings } = await loadRealm(tx, realmId);
  if (parseStoredSettings(settings)[forReports] === channelId) throw reportsArePrivate();
}

/**
 * Takes a channel that goes out of use out of the settings that name it: part of archiving it.
 * Event: realm update for each of them, to the realm.
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
