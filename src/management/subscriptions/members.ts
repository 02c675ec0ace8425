import { loadKnownChannel } from "../../channels/queries";
import { isSubscribed, subscriberIds } from "../../channels/subscribers";
import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, record } from "../../core/params";
import { loadVisibleUser } from "../../people/users/viewer";

export const ListSubscribers = record({ streamId: id() });

/**
 * The ids of the active people and bots who are subscribed to a channel, ascending. Refuses a
 * channel that the actor may not know like one that does not exist. Source:
 * `test/recorded/api/api-surface.json`, get-subscribers.
 */
export async function listSubscribers(
  ctx: Context<Person>,
  input: Input<typeof ListSubscribers>,
): Promise<{ subscribers: number[] }> {
  const { channel } = await loadKnownChannel(ctx, ctx.reader, { id: input.streamId });
  return { subscribers: await subscriberIds(ctx.reader, ctx.realm.id, channel.id) };
}

export const GetSubscriptionStatus = record({ userId: id(), streamId: id() });

/**
 * Whether somebody is subscribed to a channel. Refuses a deactivated user, and a channel that the
 * actor may not know, like missing ones. Source: `test/recorded/api/api-surface.json`,
 * get-subscription-status.
 */
export async function getSubscriptionStatus(
  ctx: Context<Person>,
  input: Input<typeof GetSubscriptionStatus>,
): Promise<{ is_subscribed: boolean }> {
  const { reader, realm } = ctx;
  const { channel } = await loadKnownChannel(ctx, reader, { id: input.streamId });
  const user = await loadVisibleUser(reader, ctx, input.userId);
  if (!user.isActive) throw badRequest("User is deactivated");
  return { is_subscribed: await isSubscribed(reader, realm.id, user.id, channel.id) };
}
