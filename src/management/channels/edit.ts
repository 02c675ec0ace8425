import { Type } from "@sinclair/typebox";
import { channelGroupSettings } from "../../channels/group-settings";
import { readRetention } from "../../channels/parameters";
import { requireMayAdminister } from "../../channels/permissions";
import { type ChannelReference, type ChannelRow, loadKnownChannel } from "../../channels/queries";
import { topicsPolicies } from "../../channels/topics-policy";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, type Input, id, integer, optional, record, text, word } from "../../core/params";
import {
  givenPermissions,
  groupSettingChangeParameter,
  permissionParameters,
} from "../../core/rights/group-setting";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { archiveChannelIn, unarchiveChannelIn } from "./archive";
import { cleanChannelName } from "./create";
import { type ChannelChange, type PreparedChange, prepareChange, updateChannelIn } from "./update";

export const UpdateChannel = record({
  streamId: id(),
  newName: optional(text()),
  description: optional(text()),
  isPrivate: optional(flag()),
  isWebPublic: optional(flag()),
  historyPublicToSubscribers: optional(flag()),
  isDefaultStream: optional(flag()),
  /** JSON: a number of days, or `"realm_default"`, or `"unlimited"`. */
  messageRetentionDays: optional(Type.Union([integer(), word("realm_default", "unlimited")])),
  isArchived: optional(flag()),
  folderId: optional(Type.Union([id(), Type.Null()])),
  topicsPolicy: optional(word(...topicsPolicies)),
  ...permissionParameters(channelGroupSettings, groupSettingChangeParameter),
});

/**
 * Changes a channel's name, description, access or permissions; archives or unarchives it.
 * Announces the events of `updateChannelIn`, `archiveChannelIn` and `unarchiveChannelIn`. Refuses a
 * channel that the actor may not know like one that does not exist, an actor who does not
 * administer the channel, even where nothing would change, and the present name. Source:
 * `test/recorded/api/api-surface.json`, update-stream.
 */
export async function updateChannel(
  ctx: Context,
  input: Input<typeof UpdateChannel>,
): Promise<undefined> {
  const change = {
    name: input.newName,
    description: input.description,
    isDefault: input.isDefaultStream,
    isPrivate: input.isPrivate,
    isWebPublic: input.isWebPublic,
    historyPublicToSubscribers: input.historyPublicToSubscribers,
    messageRetentionDays: readRetention(input.messageRetentionDays),
    folderId: input.folderId,
    topicsPolicy: input.topicsPolicy,
    settings: givenPermissions(channelGroupSettings, input),
    isArchived: input.isArchived,
  };
  await changeChannel(ctx, { id: input.streamId }, change);
}

/** Changes a channel by parsed input; answers the channel's row. */
export async function changeChannel(
  ctx: Context,
  reference: ChannelReference,
  { isArchived, ...change }: ChannelChange & { isArchived?: boolean | undefined },
): Promise<ChannelRow> {
  const prepared = prepareChange(change);
  const sameName = change.name === undefined ? undefined : cleanChannelName(change.name);
  return write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const { channel } = await loadKnownChannel(renewed, tx, reference);
    await requireMayAdminister(tx, renewed, channel);
    if (channel.name === sameName) throw badRequest(`The channel is already called '${sameName}'.`);
    return changeIn(tx, renewed, channel, prepared, isArchived);
  });
}

async function changeIn(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
  prepared: PreparedChange,
  isArchived: boolean | undefined,
): Promise<ChannelRow> {
  const isBack = isArchived === false && channel.isArchived;
  const active = isBack ? await unarchiveChannelIn(tx, ctx, channel) : channel;
  const updated = await updateChannelIn(tx, ctx, active, prepared);
  return isArchived === true && !updated.isArchived ? archiveChannelIn(tx, ctx, updated) : updated;
}

export const ArchiveChannel = record({ streamId: id() });

/**
 * Archives a channel; see `archiveChannelIn`. Refuses a channel that the actor may not know like
 * one that does not exist. Source: `test/recorded/api/api-surface.json`, archive-stream.
 */
export async function archiveChannel(
  ctx: Context,
  { streamId }: Input<typeof ArchiveChannel>,
): Promise<undefined> {
  await archiveNamed(ctx, { id: streamId });
}

/** Archives a channel by id or name; answers its row. */
export const archiveNamed = (ctx: Context, reference: ChannelReference) =>
  withKnown(ctx, reference, archiveChannelIn);

/** Unarchives a channel; see `unarchiveChannelIn`. Refuses one that is not archived. */
export const unarchiveNamed = (ctx: Context, reference: ChannelReference) =>
  withKnown(ctx, reference, unarchiveChannelIn);

async function withKnown(
  ctx: Context,
  reference: ChannelReference,
  change: (tx: Tx, ctx: Context, channel: ChannelRow) => Promise<ChannelRow>,
): Promise<ChannelRow> {
  return write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const { channel } = await loadKnownChannel(renewed, tx, reference);
    return change(tx, renewed, channel);
  });
}
