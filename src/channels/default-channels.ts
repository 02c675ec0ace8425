import type { Context, Person, Tx } from "../core/context";
import { refusedFor } from "../core/errors";
import { type Input, id, record } from "../core/params";
import { requireAdministrator } from "../core/rights/permission";
import { roles } from "../core/rights/role";
import { write } from "../core/write";
import { renewContext } from "../people/users/renew-context";
import { defaultChannelsChanged } from "./events";
import { type ChannelRow, defaultChannelIds, loadKnownChannel } from "./queries";
import { storeChannel } from "./store";

/**
 * Announces `default_streams` to all but guests, because guests may not know most of these
 * channels.
 */
export async function announceDefaults(tx: Tx, realmId: number) {
  const ids = await defaultChannelIds(tx, realmId);
  const members = { from: 0, to: roles.member };
  await tx.emit({ to: "realm", roles: members }, defaultChannelsChanged({ default_streams: ids }));
}

/**
 * Announces to somebody whose role has changed the default channels that they see from now on:
 * guests see none.
 */
export async function announceDefaultsTo(tx: Tx, realmId: number, userId: number, role: number) {
  const ids = role === roles.guest ? [] : await defaultChannelIds(tx, realmId);
  await tx.emit({ to: "users", ids: [userId] }, defaultChannelsChanged({ default_streams: ids }));
}

/** Refuses a channel that cannot be a default channel. */
export function requireMayBeDefault({ name, inviteOnly, isArchived }: ChannelRow) {
  if (inviteOnly)
    throw refusedFor(
      "default-private",
      `The channel '${name}' is private: new people cannot be subscribed to it when they join.`,
      name,
    );
  if (isArchived)
    throw refusedFor(
      "default-archived",
      `The channel '${name}' is archived: new people cannot be subscribed to it when they join.`,
      name,
    );
}

export const ChangeDefault = record({ streamId: id() });

/**
 * Adds a default channel for new members. Announces `default_streams` to all but guests, unless it
 * was one already. For administrators; refuses private and archived channels, and one that does not
 * exist. Source: `test/recorded/api/api-surface.json`, add-default-stream.
 */
export const addDefaultChannel = (
  ctx: Context<Person>,
  { streamId }: Input<typeof ChangeDefault>,
) => changeDefault(ctx, streamId, true);

/** The reverse of `addDefaultChannel`. Announces `default_streams` even if the channel was none. */
export const removeDefaultChannel = (
  ctx: Context<Person>,
  { streamId }: Input<typeof ChangeDefault>,
) => changeDefault(ctx, streamId, false);

async function changeDefault(
  ctx: Context<Person>,
  id: number,
  isDefault: boolean,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    requireAdministrator(renewed.actor);
    const { channel } = await loadKnownChannel(renewed, tx, { id });
    if (isDefault) requireMayBeDefault(channel);
    if (isDefault && channel.isDefault) return;
    await storeChannel(tx, channel, { isDefault });
    await announceDefaults(tx, channel.realmId);
    const action = isDefault ? "channel.add_default" : "channel.remove_default";
    tx.audit(renewed, { action, kind: "channel", ids: [id] });
  });
}
