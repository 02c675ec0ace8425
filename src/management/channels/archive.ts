import { listFolders } from "../../channels/channel-folders/queries";
import { viewersOf } from "../../channels/channel-visibility";
import { leaveDefaultGroups } from "../../channels/default-channel-groups/announce";
import { announceDefaults } from "../../channels/default-channels";
import { describeChannels, disappeared } from "../../channels/describe";
import { channelsAppeared, channelsDisappeared, channelUpdated } from "../../channels/events";
import { requireMayAdminister } from "../../channels/permissions";
import type { ChannelRow } from "../../channels/queries";
import { storeChannel } from "../../channels/store";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { noticeReaders } from "../../messages/flags/notice-readers";
import { releaseChannelIn } from "../../realm/channel-settings";
import { auditChannel } from "./audit";
import { tellChannel } from "./notices";
import { announceRestored } from "./restored";

/**
 * Archives a channel, as part of a write; answers its row. Nobody sends there any more; everybody
 * who could read it still can, and its subscriptions and its name are kept. Announces, to people
 * who may know it, a `stream` update of `is_archived` or, to clients that do not show archived
 * channels, `stream` delete; `default_streams` if it was a default channel, `default_stream_groups`
 * if it was in groups of them; `realm` update if settings named it (`releaseChannelIn`).
 * Notification Bot posts a notice in the channel. Refuses an actor who does not administer it, and
 * an archived channel.
 */
export async function archiveChannelIn(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
): Promise<ChannelRow> {
  await requireMayAdminister(tx, ctx, channel);
  if (channel.isArchived) throw badRequest(`The channel '${channel.name}' is already archived.`);
  const readers = await noticeReaders(tx, channel);
  await tellChannel(tx, ctx, channel, `Channel ${channel.name} has been archived.`, readers);
  const archived = await storeChannel(tx, channel, { isArchived: true, isDefault: false });
  const viewers = await viewersOf(tx, ctx, channel);
  await tx.emit(viewers, channelsDisappeared({ ...disappeared([channel]), shows_archived: false }));
  await tx.emit(viewers, archivedIs(channel, true));
  if (channel.isDefault) await announceDefaults(tx, channel.realmId);
  await leaveDefaultGroups(tx, channel.realmId, channel.id);
  await releaseChannelIn(tx, channel.realmId, channel.id);
  auditChannel(tx, ctx, "channel.archive", channel, archived);
  return archived;
}

/**
 * The reverse of `archiveChannelIn`. A channel whose folder was archived meanwhile leaves it,
 * because no folder is archived with channels in it. Clients that do not show archived channels get
 * `stream` create, `subscription` add for their own subscription, and peer_add for the others.
 */
export async function unarchiveChannelIn(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
): Promise<ChannelRow> {
  await requireMayAdminister(tx, ctx, channel);
  if (!channel.isArchived) throw badRequest(`The channel '${channel.name}' is not archived.`);
  const folderId = (await isFolderArchived(tx, channel)) ? null : channel.folderId;
  const restored = await storeChannel(tx, channel, { isArchived: false, folderId });
  const viewers = await viewersOf(tx, ctx, restored);
  const streams = await describeChannels(tx, channel.realmId, [restored]);
  await tx.emit(viewers, channelsAppeared({ streams, shows_archived: false }));
  await tx.emit(viewers, archivedIs(channel, false));
  if (folderId !== channel.folderId)
    await tx.emit(viewers, archivedChanged(channel, { property: "folder_id", value: folderId }));
  for (const described of streams) await announceRestored(tx, ctx, restored, described);
  await tellChannel(tx, ctx, restored, `Channel ${restored.name} has been unarchived.`);
  auditChannel(tx, ctx, "channel.update", channel, restored);
  return restored;
}

const archivedIs = (channel: ChannelRow, isArchived: boolean) =>
  archivedChanged(channel, { property: "is_archived", value: isArchived });

/** For clients that show archived channels. */
const archivedChanged = (
  { id, name }: ChannelRow,
  change:
    | { property: "is_archived"; value: boolean }
    | { property: "folder_id"; value: number | null },
) => channelUpdated({ stream_id: id, name, ...change, shows_archived: true });

async function isFolderArchived(tx: Tx, { realmId, folderId }: ChannelRow): Promise<boolean> {
  if (folderId === null) return false;
  const folders = await listFolders(tx, realmId);
  return folders.some(({ id, isArchived }) => id === folderId && isArchived);
}
