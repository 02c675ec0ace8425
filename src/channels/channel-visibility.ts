import type { Reader } from "../../db/reader";
import type { Audience } from "../core/audience";
import type { RealmMoment, UserRow } from "../core/context";
import { mayKnowChannel } from "../core/reading-right/predicate";
import { isGuest } from "../core/rights/role";
import { grantedViewerIds, grantedViewersOfEach } from "./granted-viewers";
import { type ChannelRow, type ChannelStanding, privacyRule } from "./queries";

/**
 * Channels among these that somebody may know, in the order given. A permission that many channels
 * give to one group is looked up once.
 */
export async function filterKnown<Standing extends ChannelStanding>(
  reader: Reader,
  moment: RealmMoment,
  user: UserRow,
  standings: readonly Standing[],
): Promise<Standing[]> {
  const hidden = standings.filter(
    ({ channel, isSubscribed }) => !mayKnowChannel(user.role, channel, isSubscribed),
  );
  if (hidden.length === 0) return [...standings];
  const channels = hidden.map(({ channel }) => channel);
  const viewers = isGuest(user.role)
    ? []
    : await grantedViewersOfEach(reader, moment, channels, [user]);
  const unknown = new Set(hidden.filter((_, index) => !viewers[index]?.has(user.id)));
  return standings.filter((standing) => !unknown.has(standing));
}

/** People who may know of a channel, as the audience of an event. */
export async function viewersOf(
  reader: Reader,
  moment: RealmMoment,
  channel: ChannelRow,
): Promise<Audience> {
  const granted = await grantedViewerIds(reader, moment, channel);
  return {
    to: "channelViewers",
    channelId: channel.id,
    ...privacyRule(channel),
    ...(granted.size > 0 ? { also: [...granted] } : {}),
  };
}
