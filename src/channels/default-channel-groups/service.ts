import { and, eq, inArray } from "drizzle-orm";
import { changedFacts } from "../../core/audit";
import type { Context, Tx } from "../../core/context";
import { type ApiError, badRequest } from "../../core/errors";
import { type Input, id, optional, record, text, texts, word } from "../../core/params";
import { requireAdministrator } from "../../core/rights/permission";
import { cleanName, cleanText } from "../../core/text/name";
import { onlyRow, write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { lengthsMax } from "../../protocol/limits";
import { requireMayBeDefault } from "../default-channels";
import {
  type ChannelRow,
  channelKey,
  findChannelsByIds,
  findChannelsByNames,
  invalidChannel,
} from "../queries";
import { announceDefaultGroups } from "./announce";
import { type DefaultGroup, listDefaultGroups } from "./queries";

const groupsMax = 100;
const channelsMax = 500;

/** Refuses a name of a group that is blank or too long (BAD_REQUEST). */
export const cleanGroupName = (name: string) =>
  cleanName("The group's name", name, lengthsMax.defaultChannelGroupName);
/** Refuses a description of a group that is too long (BAD_REQUEST). */
export const cleanDescription = (description: string) =>
  cleanText("The group's description", description, lengthsMax.defaultChannelGroupDescription);

export const CreateDefaultGroup = record({
  groupName: text(),
  description: text(),
  streamNames: texts(),
});

/**
 * Makes a group of channels that newcomers may choose when they join. Announces
 * `default_stream_groups` to all but guests. For administrators. Refuses a name that is blank, too
 * long or another group's, a description that is too long, more than 500 channels, and a channel
 * that does not exist, is private or archived, or is a default channel, into which everybody is put
 * anyway (BAD_REQUEST).
 * Source: `test/recorded/api/routes.tsv`.
 */
export async function createDefaultGroup(
  ctx: Context,
  input: Input<typeof CreateDefaultGroup>,
): Promise<undefined> {
  await write(ctx, (tx) => createDefaultGroupIn(tx, ctx, input));
}

/** Makes a group, as part of a write. */
export async function createDefaultGroupIn(
  tx: Tx,
  ctx: Context,
  input: Input<typeof CreateDefaultGroup>,
): Promise<void> {
  const name = cleanGroupName(input.groupName);
  const description = cleanDescription(input.description);
  const renewed = await renewAdministrator(tx, ctx);
  const realmId = renewed.realm.id;
  const groups = await listDefaultGroups(tx, realmId);
  if (groups.length >= groupsMax)
    throw badRequest(`An organization has at most ${groupsMax} default channel groups.`);
  requireFreeName(groups, name);
  const channels = await loadOffered(tx, realmId, input.streamNames, { name, channelIds: [] });
  const rows = await tx.db
    .insert(tx.t.defaultChannelGroups)
    .values({ realmId, name, description })
    .returning();
  const group: DefaultGroup = { ...onlyRow(rows), channelIds: channels.map(({ id }) => id) };
  await storeChannels(tx, realmId, group.id, channels);
  await announceDefaultGroups(tx, realmId);
  tx.audit(renewed, {
    action: "default_group.create",
    ...subject(group),
    after: factsOf(group),
  });
}

export const UpdateDefaultGroup = record({
  groupId: id(),
  newGroupName: optional(text()),
  newDescription: optional(text()),
});

/**
 * Renames or describes a group. Announces `default_stream_groups` to all but guests. For
 * administrators. Refuses a missing group, a request without a value, a name that the group has
 * already, and values that `createDefaultGroup` refuses (BAD_REQUEST).
 */
export async function updateDefaultGroup(
  ctx: Context,
  input: Input<typeof UpdateDefaultGroup>,
): Promise<undefined> {
  await write(ctx, (tx) => updateDefaultGroupIn(tx, ctx, input));
}

/** Renames or describes a group, as part of a write. */
export async function updateDefaultGroupIn(
  tx: Tx,
  ctx: Context,
  { groupId, newGroupName, newDescription }: Input<typeof UpdateDefaultGroup>,
): Promise<void> {
  if (newGroupName === undefined && newDescription === undefined)
    throw badRequest("Nothing to change: give 'new_group_name' or 'new_description'.");
  const asked = {
    ...(newGroupName === undefined ? {} : { name: cleanGroupName(newGroupName) }),
    ...(newDescription === undefined ? {} : { description: cleanDescription(newDescription) }),
  };
  const renewed = await renewAdministrator(tx, ctx);
  const realmId = renewed.realm.id;
  const groups = await listDefaultGroups(tx, realmId);
  const before = loadGroup(groups, groupId);
  if (asked.name === before.name)
    throw badRequest(`The default channel group is already called '${before.name}'.`);
  if (asked.name !== undefined) requireFreeName(groups, asked.name, before.id);
  await tx.db
    .update(tx.t.defaultChannelGroups)
    .set(asked)
    .where(isGroup(tx, realmId, before.id));
  await announceDefaultGroups(tx, realmId);
  tx.audit(renewed, {
    action: "default_group.update",
    ...subject(before),
    ...changedFacts(factsOf(before), factsOf({ ...before, ...asked })),
  });
}

export const ChangeDefaultGroupChannels = record({
  groupId: id(),
  op: word("add", "remove"),
  streamNames: texts(),
});

/**
 * Adds channels to a group, or removes some. Announces `default_stream_groups` to all but guests.
 * For administrators. Refuses a missing group; a request without a channel; to add channels that
 * `createDefaultGroup` refuses or that are in the group; and to remove channels that are not
 * (BAD_REQUEST).
 */
export async function changeDefaultGroupChannels(
  ctx: Context,
  input: Input<typeof ChangeDefaultGroupChannels>,
): Promise<undefined> {
  await write(ctx, (tx) => changeDefaultGroupChannelsIn(tx, ctx, input));
}

/** Adds or removes channels of a group, as part of a write. */
export async function changeDefaultGroupChannelsIn(
  tx: Tx,
  ctx: Context,
  { groupId, op, streamNames }: Input<typeof ChangeDefaultGroupChannels>,
): Promise<void> {
  const isAdded = op === "add";
  if (streamNames.length === 0) throw badRequest("Nothing to change: name at least one channel.");
  const renewed = await renewAdministrator(tx, ctx);
  const realmId = renewed.realm.id;
  const group = loadGroup(await listDefaultGroups(tx, realmId), groupId);
  const channels = await (isAdded ? loadOffered : loadHeld)(tx, realmId, streamNames, group);
  if (isAdded) await storeChannels(tx, realmId, groupId, channels);
  else await removeChannels(tx, realmId, groupId, channels);
  await announceDefaultGroups(tx, realmId);
  const changed = channels.map((channel) => channel.id);
  const channelIds = isAdded
    ? [...group.channelIds, ...changed]
    : group.channelIds.filter((one) => !changed.includes(one));
  tx.audit(renewed, {
    action: "default_group.change_channels",
    ...subject(group),
    ...changedFacts(factsOf(group), factsOf({ ...group, channelIds })),
  });
}

export const RemoveDefaultGroup = record({ groupId: id() });

/**
 * Removes a group; its channels stay. Announces `default_stream_groups` to all but guests. For
 * administrators; refuses a missing group (BAD_REQUEST).
 */
export async function removeDefaultGroup(
  ctx: Context,
  { groupId }: Input<typeof RemoveDefaultGroup>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const renewed = await renewAdministrator(tx, ctx);
    const realmId = renewed.realm.id;
    const group = loadGroup(await listDefaultGroups(tx, realmId), groupId);
    const { defaultChannelGroupChannels: held } = tx.t;
    await tx.db.delete(held).where(and(eq(held.realmId, realmId), eq(held.groupId, groupId)));
    await tx.db.delete(tx.t.defaultChannelGroups).where(isGroup(tx, realmId, groupId));
    await announceDefaultGroups(tx, realmId);
    const before = factsOf(group);
    tx.audit(renewed, { action: "default_group.remove", ...subject(group), before });
  });
}

async function renewAdministrator(tx: Tx, ctx: Context) {
  const renewed = await renewContext(tx, ctx);
  requireAdministrator(renewed.actor);
  return renewed;
}

const subject = ({ id: groupId }: DefaultGroup) =>
  ({ kind: "default_group", ids: [groupId] }) as const;

const factsOf = ({ name, description, channelIds }: DefaultGroup) => ({
  name,
  description,
  channel_ids: channelIds,
});

const isGroup = ({ t: { defaultChannelGroups } }: Tx, realmId: number, groupId: number) =>
  and(eq(defaultChannelGroups.realmId, realmId), eq(defaultChannelGroups.id, groupId));

function loadGroup(groups: readonly DefaultGroup[], groupId: number): DefaultGroup {
  const group = groups.find((one) => one.id === groupId);
  if (!group) throw badRequest(`There is no default channel group with ID ${groupId}.`);
  return group;
}

function requireFreeName(groups: readonly DefaultGroup[], name: string, exceptId?: number) {
  const isTaken = groups.some(
    (one) => one.id !== exceptId && one.name.toLowerCase() === name.toLowerCase(),
  );
  if (isTaken) throw badRequest(`There is already a default channel group '${name}'.`);
}

/** Channels by their names that may be in a group; each must exist and be public and in use. */
async function loadOffered(
  tx: Tx,
  realmId: number,
  names: readonly string[],
  group: Pick<DefaultGroup, "name" | "channelIds">,
): Promise<ChannelRow[]> {
  requireFewNames(names);
  const channels = channelsNamed(names, await findChannelsByNames(tx, realmId, names), (name) =>
    invalidChannel({ name }),
  );
  for (const channel of channels) {
    const { id: channelId, name, isDefault } = channel;
    requireMayBeDefault(channel);
    if (isDefault)
      throw badRequest(
        `'${name}' is a default channel, so it cannot be added to the group '${group.name}'.`,
      );
    if (group.channelIds.includes(channelId))
      throw badRequest(
        `The channel '${name}' is already in the default channel group '${group.name}'.`,
      );
  }
  if (group.channelIds.length + channels.length > channelsMax)
    throw badRequest(`A default channel group has at most ${channelsMax} channels.`);
  return channels;
}

/** Channels of a group by their names: removing needs no right to read them. */
async function loadHeld(
  tx: Tx,
  realmId: number,
  names: readonly string[],
  group: DefaultGroup,
): Promise<ChannelRow[]> {
  requireFewNames(names);
  const held = await findChannelsByIds(tx, realmId, group.channelIds);
  return channelsNamed(names, held, (name) =>
    badRequest(`The channel '${name}' is not in the default channel group '${group.name}'.`),
  );
}

function requireFewNames(names: readonly string[]) {
  if (names.length > channelsMax) throw badRequest(`Name at most ${channelsMax} channels at once.`);
}

/** Channels with these names, each once; refuses a name that none of them has. */
function channelsNamed(
  names: readonly string[],
  channels: readonly ChannelRow[],
  refusalOf: (name: string) => ApiError,
): ChannelRow[] {
  const byKey = new Map(channels.map((channel) => [channel.nameKey, channel]));
  const named = new Set<ChannelRow>();
  for (const name of names) {
    const channel = byKey.get(channelKey(name));
    if (!channel) throw refusalOf(name);
    named.add(channel);
  }
  return [...named];
}

async function storeChannels(tx: Tx, realmId: number, groupId: number, channels: ChannelRow[]) {
  const rows = channels.map((channel) => ({ realmId, groupId, channelId: channel.id }));
  if (rows.length > 0) await tx.db.insert(tx.t.defaultChannelGroupChannels).values(rows);
}

async function removeChannels(tx: Tx, realmId: number, groupId: number, channels: ChannelRow[]) {
  const { defaultChannelGroupChannels: held } = tx.t;
  const channelIds = channels.map((channel) => channel.id);
  await tx.db
    .delete(held)
    .where(
      and(
        eq(held.realmId, realmId),
        eq(held.groupId, groupId),
        inArray(held.channelId, channelIds),
      ),
    );
}
