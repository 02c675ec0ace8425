import type { AudienceMember, ChannelPlace, MoveAudience } from "../audience";
import { isGuest } from "../rights/role";
import { includesUser } from "../user-list";
import { holdsPlace, isSubscribedNow, type Periods, wasSubscribedAt } from "./periods";
import { type ChannelPrivacy, isOpenTo, mayKnowChannel } from "./predicate";

/**
 * The right to read (`predicate.ts`) as the audience of an event: people who received a message at
 * the time, by the log, and who may still read it.
 */

const none: Periods = [];

const periodsOf = ({ periods }: AudienceMember, channelId: number): Periods =>
  periods.get(channelId) ?? none;

const privacyOf = ({
  isPrivate,
  isWebPublic = false,
}: Pick<ChannelPlace, "isPrivate" | "isWebPublic">): ChannelPrivacy => ({
  inviteOnly: isPrivate,
  isWebPublic,
});

/** Whether somebody was subscribed to a channel at a place in the log. */
export const wasSubscribed = (member: AudienceMember, channelId: number, logId: number): boolean =>
  wasSubscribedAt(periodsOf(member, channelId), logId);

/**
 * Whether somebody is subscribed to a channel as of the newest entry of the log that is known here.
 */
export const isSubscribed = (member: AudienceMember, channelId: number): boolean =>
  isSubscribedNow(periodsOf(member, channelId));

/**
 * Facts that decide who may know of a channel: the channel's own, and `also`, the people whose
 * permissions let them know of it.
 */
type VisibilityFacts = Pick<ChannelPlace, "channelId" | "isPrivate" | "isWebPublic"> & {
  also?: number[];
};

/** Whether somebody may know of a channel at a place in the log. */
export function isViewer(facts: VisibilityFacts, member: AudienceMember, logId: number): boolean {
  const { channelId, also } = facts;
  const { role, userId } = member;
  if (mayKnowChannel(role, privacyOf(facts), wasSubscribed(member, channelId, logId))) return true;
  return also !== undefined && !isGuest(role) && includesUser(also, userId);
}

/** Whether somebody may know of a channel while it is public, but not while it is private. */
export const isOutsider = (
  facts: Omit<VisibilityFacts, "isPrivate">,
  member: AudienceMember,
  logId: number,
): boolean =>
  isOpenTo(member.role, privacyOf({ ...facts, isPrivate: false })) &&
  !isViewer({ ...facts, isPrivate: true, isWebPublic: false }, member, logId);

/**
 * Whether an event at a place of a channel is for somebody. `wantsAllPublic`: the client asked for
 * all public channels. `also`: people who need no subscription.
 */
export function receives(
  place: ChannelPlace & { also?: number[] },
  member: AudienceMember,
  logId: number,
  wantsAllPublic: boolean,
): boolean {
  const isOpen = isOpenTo(member.role, privacyOf(place));
  const needsNoSubscription =
    wantsAllPublic || (place.also !== undefined && includesUser(place.also, member.userId));
  if (needsNoSubscription && isOpen) return true;
  const isStillReader = isOpen || isSubscribed(member, place.channelId);
  return isStillReader && hadReceived(place, member, logId);
}

/** Whether somebody received, as a subscriber, the message at a place of a channel. */
function hadReceived(
  { channelId, guardedPlace }: ChannelPlace,
  member: AudienceMember,
  logId: number,
): boolean {
  const periods = periodsOf(member, channelId);
  if (guardedPlace !== undefined && !holdsPlace(periods, guardedPlace)) return false;
  return wasSubscribedAt(periods, logId);
}

/**
 * Whether somebody may read messages at a place of a channel, as of the newest entry of the log
 * that is known here.
 */
function mayReadPlace({ guardedPlace, ...place }: ChannelPlace, member: AudienceMember): boolean {
  if (isOpenTo(member.role, privacyOf(place))) return true;
  const periods = periodsOf(member, place.channelId);
  if (!isSubscribedNow(periods)) return false;
  return guardedPlace === undefined || holdsPlace(periods, guardedPlace);
}

/** Whether a move of messages to another channel is told to somebody as `to` says. */
export function isOfMove(
  { to, from, into }: MoveAudience,
  member: AudienceMember,
  logId: number,
): boolean {
  const isForOutsiders = to === "outsideReaders" || to === "outsideLosers";
  if (mayReadPlace(from, member) === isForOutsiders) return false;
  const had = hadReceived(from, member, logId);
  const isIn = wasSubscribed(member, into.channelId, logId);
  const isOpen = isOpenTo(member.role, privacyOf(into));
  if (to === "losers" || to === "outsideLosers") return had && !isIn && !isOpen;
  const isStillIn = isOpen || (isIn && isSubscribed(member, into.channelId));
  return isStillIn && (had || (isIn && isViewer(from, member, logId)));
}
