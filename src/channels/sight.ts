import type { Reader } from "../../db/reader";
import type { Audience } from "../core/audience";
import type { RealmMoment, UserRow } from "../core/context";
import { mayKnowChannel } from "../core/reading-right/predicate";
import { grantedSightIds, isGrantedSight } from "./granted-sight";
import { type ChannelRow, type ChannelStanding, opennessRule } from "./queries";

/** Channels among these that somebody may know, in the order given. */
export async function filterKnown<Standing extends ChannelStanding>(
  reader: Reader,
  moment: RealmMoment,
  user: UserRow,
  standings: readonly Standing[],
): Promise<Standing[]> {
  const knownStandings: Standing[] = [];
  for (const standing of standings) {
    const { channel, isSubscribed } = standing;
    const isKnown = mayKnowChannel(user.role, channel, isSubscribed);
    if (isKnown || (await isGrantedSight(reader, moment, user, channel)))
      knownStandings.push(standing);
  }
  return knownStandings;
}

/** People who may know of a channel, as the audience of an event. */
export async function viewersOf(
  reader: Reader,
  moment: RealmMoment,
  channel: ChannelRow,
): Promise<Audience> {
  const granted = await grantedSightIds(reader, moment, channel);
  return {
    to: "channelViewers",
    channelId: channel.id,
    ...opennessRule(channel),
    ...(granted.size > 0 ? { also: [...granted] } : {}),
  };
}
