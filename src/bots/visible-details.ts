import type { Reader } from "../../db/reader";
import { filterKnown } from "../channels/channel-visibility";
import { findChannelsByIds, subscribedChannelIds } from "../channels/queries";
import type { RealmMoment, UserRow } from "../core/context";
import { roles } from "../core/rights/role";
import type { Secrets } from "../core/secrets/secrets";
import { type BotRow, findBotRows } from "../people/bots/queries";
import type { ShownParts } from "../people/bots/wire";
import { tokenPurpose } from "./outgoing";

/** A viewer of bots, at a moment. */
interface BotReader extends RealmMoment {
  secrets: Secrets;
  user: UserRow;
}

/** Whether somebody sees the facts of a bot that are for its owner and administrators. */
export const isShownTo = (
  { id, role }: Pick<UserRow, "id" | "role">,
  { botOwnerId }: Pick<UserRow, "botOwnerId">,
) => role <= roles.administrator || botOwnerId === id;

/**
 * Facts about some bots in addition to their accounts, with the data for showing them to somebody.
 */
export async function findShownBots(
  reader: Reader,
  at: BotReader,
  ids: readonly number[],
): Promise<{ rows: ReadonlyMap<number, BotRow>; parts: ShownParts }> {
  const rows = await findBotRows(reader, at.realm.id, ids);
  const channelIds = [...rows.values()].flatMap((row) => [
    row.defaultSendingChannelId,
    row.defaultEventsChannelId,
  ]);
  const channelNames = await findKnownNames(
    reader,
    at,
    channelIds.filter((id) => id !== null),
  );
  return { rows, parts: { channelNames, tokenOf: (row) => openToken(at.secrets, row) } };
}

/** The token in posts for a bot; undefined for a bot without posts. */
export const openToken = (secrets: Secrets, { userId, sealedToken }: BotRow): string | undefined =>
  sealedToken === null ? undefined : secrets.open(tokenPurpose(userId), sealedToken);

/** The names of channels among these that somebody may know. */
export async function findKnownNames(
  reader: Reader,
  at: RealmMoment & { user: UserRow },
  channelIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (channelIds.length === 0) return new Map();
  const subscribed = new Set(await subscribedChannelIds(reader, at.realm.id, at.user.id));
  const channels = await findChannelsByIds(reader, at.realm.id, [...new Set(channelIds)]);
  const standings = channels.map((channel) => ({
    channel,
    isSubscribed: subscribed.has(channel.id),
  }));
  const knownStandings = await filterKnown(reader, at, at.user, standings);
  return new Map(knownStandings.map(({ channel: { id, name } }) => [id, name]));
}
