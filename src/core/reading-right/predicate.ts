import { isAdministrator, isGuest } from "../rights/role";
import { holdsPlace, isSubscribedNow, type Periods, periodsIn } from "./periods";

/**
 * The right to read a channel's messages, as functions of facts that have been loaded.
 *
 * - A channel that is open to the web: everybody reads all of it.
 * - A public one: everybody but guests reads all of it, and so do the guests who are subscribed.
 * - A private one: its subscribers read it; with protected history only the messages that were
 *   placed there while they were subscribed. An administrator's role opens none.
 *
 * `sql.ts` has the rule as conditions of queries, `audience.ts` as the audience of an event.
 * `test/messages/reading-right.test.ts` compares the three on generated histories.
 */

/**
 * Readers of a channel: its subscribers, everybody but guests, or everybody including guests and
 * the web.
 */
export interface ChannelPrivacy {
  inviteOnly: boolean;
  isWebPublic: boolean;
}

/** Facts of a channel that decide how much of its history a subscriber reads. */
export interface HistoryRule {
  inviteOnly: boolean;
  historyPublicToSubscribers: boolean;
}

/** Whether people with a role may read a channel without being subscribed to it. */
export const isOpenTo = (role: number, { inviteOnly, isWebPublic }: ChannelPrivacy): boolean =>
  isWebPublic || (!inviteOnly && !isGuest(role));

/** Whether somebody may read in a channel at all. */
export const mayReadChannel = (
  role: number,
  channel: ChannelPrivacy,
  isSubscribed: boolean,
): boolean => isSubscribed || isOpenTo(role, channel);

/**
 * Whether somebody may know that a channel exists, its settings and its subscribers, by their role
 * or subscription. Holders of a permission of a private channel may know of it, too
 * (`src/channels/granted-viewers.ts`).
 */
export const mayKnowChannel = (
  role: number,
  channel: ChannelPrivacy,
  isSubscribed: boolean,
): boolean =>
  mayReadChannel(role, channel, isSubscribed) || (channel.inviteOnly && isAdministrator(role));

/**
 * Whether readers of a place may not know of a channel by reading there: a private channel, and
 * every channel that is not open to the web where the place is.
 */
export const isHiddenFrom = (channel: ChannelPrivacy, place: ChannelPrivacy | undefined): boolean =>
  channel.inviteOnly || (place?.isWebPublic === true && !channel.isWebPublic);

/** Whether everybody who may read in a channel may read all of it. */
export const hasOpenHistory = ({ inviteOnly, historyPublicToSubscribers }: HistoryRule): boolean =>
  !inviteOnly || historyPublicToSubscribers;

/**
 * Whether somebody may read a message of a channel. `periods` are that person's, of any channels;
 * `placedAt` is the message's id, or the newest id of all when it was moved there.
 */
export function mayReadMessage(
  channel: { id: number } & ChannelPrivacy & HistoryRule,
  periods: Periods,
  role: number,
  { placedAt }: { placedAt: number },
): boolean {
  if (isOpenTo(role, channel)) return true;
  const ofChannel = periodsIn(periods, channel.id);
  if (!isSubscribedNow(ofChannel)) return false;
  return hasOpenHistory(channel) || holdsPlace(ofChannel, placedAt);
}
