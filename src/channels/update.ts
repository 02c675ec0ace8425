import { and, eq, ne } from "drizzle-orm";
import type { Audience } from "../core/audience";
import type { Context, Tx } from "../core/context";
import { badRequest } from "../core/errors";
import { onlyRow } from "../core/write";
import { cleanChannelName, prepareDescription } from "./create";
import { announceDefaults } from "./default-channels";
import { channelUpdated } from "./events";
import { mayAdministerChannel, mayChooseDefaults } from "./permissions";
import { type ChannelRow, channelKey } from "./queries";

export interface ChannelChange {
  name?: string | undefined;
  description?: string | undefined;
  isDefault?: boolean | undefined;
}

/** A change that only needs its place in the database: what it leaves out stays as it is. */
export type PreparedChange = Partial<
  Pick<ChannelRow, "name" | "nameKey" | "description" | "renderedDescription" | "isDefault">
>;

/** The part of changing a channel that needs no database. Refuses names and descriptions that no channel may have. */
export function prepareChange(change: ChannelChange): PreparedChange {
  const name = change.name === undefined ? undefined : cleanChannelName(change.name);
  return {
    ...(name === undefined ? {} : { name, nameKey: channelKey(name) }),
    ...(change.description === undefined ? {} : prepareDescription(change.description)),
    ...(change.isDefault === undefined ? {} : { isDefault: change.isDefault }),
  };
}

const viewersOf = ({ id, inviteOnly }: ChannelRow): Audience => ({
  to: "channelViewers",
  channelId: id,
  isPrivate: inviteOnly,
});

/**
 * Changes a channel's name, description and whether it is a default channel, as far as they differ from what they are.
 * Announces a `stream` update per property to those who may know the channel, `default_streams` to all but guests.
 * Refuses who does not administer the channel (for defaults: the organization), and a name that is taken.
 */
export async function updateChannelIn(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
  change: PreparedChange,
): Promise<ChannelRow> {
  const { name, description, isDefault } = change;
  const isRenamed = name !== undefined && name !== channel.name;
  const isRedescribed = description !== undefined && description !== channel.description;
  const changesDefault = isDefault !== undefined && isDefault !== channel.isDefault;
  if ((isRenamed || isRedescribed) && !(await mayAdministerChannel(tx, ctx, channel))) {
    throw badRequest(`You do not administer the channel '${channel.name}'.`);
  }
  if (changesDefault) requireMayBeDefault(ctx, channel, isDefault);
  if (isRenamed) await requireNameFree(tx, channel, name);
  if (!isRenamed && !isRedescribed && !changesDefault) return channel;
  const updated = await storeChannel(tx, channel, change);
  const facts = { stream_id: channel.id, name: channel.name };
  if (isRenamed) await tx.emit(viewersOf(channel), channelUpdated({ ...facts, property: "name", value: name }));
  if (isRedescribed) {
    const rendered_description = updated.renderedDescription;
    const value = updated.description;
    await tx.emit(
      viewersOf(channel),
      channelUpdated({ ...facts, name: updated.name, property: "description", value, rendered_description }),
    );
  }
  if (changesDefault) await announceDefaults(tx, channel.realmId);
  return updated;
}

/**
 * Notes which of a channel's messages is its oldest, null when it has none, and announces it as a `stream` update to
 * those who may know the channel. Does nothing when it is noted already.
 */
export async function noteFirstMessage(tx: Tx, channel: ChannelRow, firstMessageId: number | null) {
  if (channel.firstMessageId === firstMessageId) return;
  await storeChannel(tx, channel, { firstMessageId });
  const change = { stream_id: channel.id, name: channel.name, property: "first_message_id", value: firstMessageId };
  await tx.emit(viewersOf(channel), channelUpdated(change));
}

function requireMayBeDefault(ctx: Context, channel: ChannelRow, isDefault: boolean) {
  if (!mayChooseDefaults(ctx)) throw badRequest("Only administrators may choose the default channels.");
  if (isDefault && channel.inviteOnly) throw badRequest("A private channel cannot be a default channel.");
  if (isDefault && channel.isArchived) throw badRequest("An archived channel cannot be a default channel.");
}

async function requireNameFree(tx: Tx, channel: ChannelRow, name: string) {
  const { channels } = tx.t;
  const isNamedSo = and(eq(channels.realmId, channel.realmId), eq(channels.nameKey, channelKey(name)));
  const others = await tx.db
    .select({ id: channels.id })
    .from(channels)
    .where(and(isNamedSo, ne(channels.id, channel.id)));
  if (others.length > 0) throw badRequest(`Channel '${name}' already exists.`);
}

async function storeChannel(tx: Tx, channel: ChannelRow, values: Partial<ChannelRow>): Promise<ChannelRow> {
  const { channels } = tx.t;
  const isChannel = and(eq(channels.realmId, channel.realmId), eq(channels.id, channel.id));
  return onlyRow(await tx.db.update(channels).set(values).where(isChannel).returning());
}
