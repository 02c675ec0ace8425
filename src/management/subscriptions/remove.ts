import { type Static, Type } from "@sinclair/typebox";
import { mayRemoveSubscribers } from "../../channels/permissions";
import {
  type ChannelRow,
  type ChannelStanding,
  channelKey,
  loadKnownChannel,
} from "../../channels/queries";
import { isSelf } from "../../core/account";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { either, type Input, optional, record, text, texts } from "../../core/params";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import type { Named, Principal } from "./principals";
import { loadTargets, namesOf, principals, requireBounded } from "./service";
import { unsubscribeUsers } from "./unsubscribe";

export const RemoveSubscriptions = record({
  subscriptions: either(texts(), text()),
  principals: optional(principals),
});

export const RemovedSubscriptions = record({
  removed: Type.Array(Type.String()),
  not_removed: Type.Array(Type.String(), {
    description: "Channels that some of the users were not subscribed to.",
  }),
});

export type Removed = Static<typeof RemovedSubscriptions>;

/**
 * Ends the subscriptions of the actor, or of the named users, to channels by name. Announces the
 * events of `unsubscribeUsers`. Refuses a channel that the actor may not know like one that does
 * not exist, and one whose subscribers they may not remove. Source:
 * `test/recorded/api/api-surface.json`, unsubscribe.
 */
export async function removeSubscriptions(
  ctx: Context,
  input: Input<typeof RemoveSubscriptions>,
): Promise<Removed> {
  const { subscriptions } = input;
  const names = typeof subscriptions === "string" ? [subscriptions] : subscriptions;
  return write(ctx, (tx) => removePrepared(tx, ctx, { names, principals: input.principals ?? [] }));
}

/** The part of `removeSubscriptions` that runs in a write. */
export async function removePrepared(
  tx: Tx,
  outer: Context,
  removal: { names: readonly string[]; principals: readonly Principal[] },
): Promise<Removed> {
  const ctx = await renewContext(tx, outer);
  requireBounded(removal.names.length, removal.principals.length);
  const targets = await loadTargets(tx, ctx, removal.principals);
  const channels = new Map<number, ChannelRow>();
  for (const name of new Map(removal.names.map((one) => [channelKey(one), one])).values()) {
    const standing = await loadKnownChannel(ctx, tx, { name });
    await requireMayRemove(tx, ctx, standing, targets);
    channels.set(standing.channel.id, standing.channel);
  }
  const userIds = targets.map(({ id }) => id);
  const { removed, notRemoved } = await unsubscribeUsers(tx, ctx, [...channels.values()], userIds);
  const others = [...removed].filter(([userId]) => !isSelf(ctx.actor, userId));
  if (others.length > 0)
    tx.audit(ctx, {
      action: "channel.unsubscribe",
      kind: "channel",
      ids: [...channels.keys()],
      before: { user_ids: others.map(([userId]) => userId) },
    });
  return { removed: namesOf(removed), not_removed: namesOf(notRemoved) };
}

/** Everybody may end their own subscriptions, and those of their bots. */
async function requireMayRemove(
  tx: Tx,
  ctx: Context,
  { channel }: ChannelStanding,
  targets: Named[],
) {
  const { actor } = ctx;
  const isOwn = ({ id, botOwnerId }: Named) =>
    "user" in actor && [id, botOwnerId].includes(actor.user.id);
  if (targets.every(isOwn) || (await mayRemoveSubscribers(tx, ctx, channel))) return;
  throw badRequest(`You may not remove others from the channel '${channel.name}'.`);
}
