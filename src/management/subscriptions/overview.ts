import type { Reader } from "../../../db/reader";
import { filterKnown } from "../../channels/channel-visibility";
import { listChannels } from "../../channels/queries";
import { allSubscribers, listOwnSubscriptions } from "../../channels/subscribers";
import {
  personalWire,
  type SubscriberListForm,
  subscriberListWire,
} from "../../channels/subscription-wire";
import { channelTextMaker } from "../../channels/texts";
import type { Context, Person } from "../../core/context";
import { type JsonText, jsonMemory, membersJson, plainMembers } from "../../core/json/raw-json";

/**
 * Every channel that somebody may know, in lists by subscription; oldest first in each. The objects
 * are JSON.
 */
export type Overview = {
  subscriptions: JsonText[];
  unsubscribed: JsonText[];
  never_subscribed: JsonText[];
};

/**
 * Channels that the actor may know, in three lists: subscribed, formerly subscribed, and never
 * subscribed; on request with the lists of subscribers and with archived channels. A few queries
 * for any number of channels.
 */
export async function loadOverview(
  ctx: Context<Person>,
  reader: Reader,
  { include, withArchived }: { include: SubscriberListForm; withArchived: boolean },
): Promise<Overview> {
  const { realm, actor } = ctx;
  const { id: userId } = actor.user;
  const subscriptions = new Map(
    (await listOwnSubscriptions(reader, realm.id, userId)).map((row) => [row.channelId, row]),
  );
  const standings = (await listChannels(reader, realm.id))
    .filter(({ isArchived }) => !isArchived || withArchived)
    .map((channel) => ({
      channel,
      isSubscribed: subscriptions.get(channel.id)?.isActive ?? false,
    }));
  const channelText = await channelTextMaker(reader, realm.id);
  const listMember = await subscriberLists(reader, realm.id, include);
  const overview: Overview = { subscriptions: [], unsubscribed: [], never_subscribed: [] };
  for (const { channel } of await filterKnown(reader, ctx, actor.user, standings)) {
    const subscription = subscriptions.get(channel.id);
    const list = listMember(channel.id);
    if (!subscription) {
      overview.never_subscribed.push(channelText(channel, list));
      continue;
    }
    const personal = plainMembers(personalWire(subscription));
    const text = channelText(channel, `,${personal}${list}`);
    (subscription.isActive ? overview.subscriptions : overview.unsubscribed).push(text);
  }
  return overview;
}

const listTexts = jsonMemory<readonly number[]>();
const nobody: readonly number[] = [];

/** Writes the list of a channel's subscribers as a member, if the client asked for it. */
async function subscriberLists(
  reader: Reader,
  realmId: number,
  include: SubscriberListForm,
): Promise<(channelId: number) => string> {
  if (include === "false") return () => "";
  const lists = await allSubscribers(reader, realmId);
  return (channelId) => {
    const ids = lists.get(channelId) ?? nobody;
    const list = listTexts(ids, "", () => ids);
    return `,${membersJson(subscriberListWire(include, list))}`;
  };
}
