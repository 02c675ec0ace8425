import type { Reader } from "../../db/reader";
import { describeChannels, listedChannel } from "../channels/describe";
import { listChannels, mayKnowChannel, subscriberCounts } from "../channels/queries";
import type { Context, Person } from "../core/context";
import type { QueueOptions } from "../core/event-hub";
import { listOwnSubscriptions, subscribersByChannel } from "./queries";
import { type SubscriberList, type SubscriptionObject, subscriberListWire, subscriptionWire } from "./wire";

type NeverSubscribed = ReturnType<typeof listedChannel>;

/** Every channel that somebody may know, by how they stand to it; oldest first in each. */
export type Overview = {
  subscriptions: (SubscriptionObject & SubscriberList)[];
  unsubscribed: (SubscriptionObject & SubscriberList)[];
  never_subscribed: (NeverSubscribed & SubscriberList)[];
};

/**
 * What the actor is subscribed to, was subscribed to, and never was, as far as they may know the channels; with the lists
 * of subscribers if asked. A few queries, however many channels there are.
 */
export async function loadOverview(
  { realm, actor }: Context<Person>,
  reader: Reader,
  include: QueueOptions["includeSubscribers"],
): Promise<Overview> {
  const { id: userId, role } = actor.user;
  const own = new Map((await listOwnSubscriptions(reader, realm.id, userId)).map((row) => [row.channelId, row]));
  const channels = (await listChannels(reader, realm.id)).filter(
    (channel) => !channel.isArchived && mayKnowChannel(role, channel, own.get(channel.id)?.isActive ?? false),
  );
  const counts = await subscriberCounts(reader, realm.id);
  const ids = include === "false" ? [] : channels.map(({ id }) => id);
  const lists = await subscribersByChannel(reader, realm.id, ids);
  const overview: Overview = { subscriptions: [], unsubscribed: [], never_subscribed: [] };
  for (const channel of await describeChannels(reader, realm.id, channels, counts)) {
    const subscription = own.get(channel.stream_id);
    const list = subscriberListWire(include, lists.get(channel.stream_id) ?? []);
    if (!subscription) overview.never_subscribed.push({ ...listedChannel(channel), ...list });
    else if (subscription.isActive)
      overview.subscriptions.push({ ...subscriptionWire(channel, subscription), ...list });
    else overview.unsubscribed.push({ ...subscriptionWire(channel, subscription), ...list });
  }
  return overview;
}
