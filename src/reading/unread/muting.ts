import type { Reader } from "../../../db/reader";
import { listOwnSubscriptions } from "../../channels/subscribers";
import { topicKey } from "../../channels/topics/empty-topic";
import { listTopics } from "../../channels/topics/queries";
import { listUserTopics, type UserTopicRow } from "../../channels/user-topics/queries";
import { topicPolicies } from "../../protocol/topics";
import type { Line } from "./unread-lines";

/**
 * The channels that somebody has muted, the topics that they have muted in any channel, and the
 * topics that they have unmuted or follow.
 */
export interface Muting {
  channelIds: readonly number[];
  mutedTopics: readonly UserTopicRow[];
  heardTopics: readonly UserTopicRow[];
}

/** The channels and topics that somebody has muted now. */
export async function loadMuting(
  reader: Reader,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<Muting> {
  const subscriptions = await listOwnSubscriptions(reader, realmId, userId);
  const topics = await listUserTopics(reader, realmId, userId);
  const withPolicies = (...policies: number[]) =>
    topics.filter(({ visibilityPolicy }) => policies.includes(visibilityPolicy));
  return {
    channelIds: subscriptions
      .filter((one) => one.isActive && one.isMuted)
      .map(({ channelId }) => channelId),
    mutedTopics: withPolicies(topicPolicies.muted),
    heardTopics: withPolicies(topicPolicies.unmuted, topicPolicies.followed),
  };
}

/** Most topics of a channel that are searched one by one. */
const topicsMax = 500;

const isOfChannel = ({ kind }: Line) => kind === "home" || kind === "moved";

/**
 * Lines without muted channels: only the topics there that somebody has unmuted or follows. Muted
 * messages may still be among the others.
 */
export function linesHeard(
  lines: readonly Line[],
  { channelIds, heardTopics }: Muting,
): readonly Line[] {
  const muted = new Set(channelIds);
  const heard = Map.groupBy(heardTopics, ({ channelId }) => channelId);
  return lines.flatMap((line) => {
    if (!isOfChannel(line) || !muted.has(line.place)) return [line];
    return (heard.get(line.place) ?? []).map((topic) => ({ ...line, topicKey: topic.topicKey }));
  });
}

/**
 * Lines without muted topics, so that these cost nothing, however many of their messages are
 * unread: in each channel with muted topics, a line for each of its other topics. The cost depends
 * on the number of its topics. A channel with too many of them keeps its line.
 */
export async function linesOfHeardTopics(
  reader: Reader,
  realmId: number,
  lines: readonly Line[],
  { mutedTopics }: Muting,
): Promise<readonly Line[]> {
  const muted = Map.groupBy(mutedTopics, ({ channelId }) => channelId);
  const places = new Set(lines.filter(isOfChannel).map(({ place }) => place));
  const heard = new Map<number, { key: string; maxId: number }[]>();
  for (const channelId of [...muted.keys()].filter((id) => places.has(id))) {
    const leftOut = new Set(muted.get(channelId)?.map((topic) => topic.topicKey));
    const topics = (await listTopics(reader, realmId, channelId))
      .map(({ name, maxId }) => ({ key: topicKey(name), maxId }))
      .filter(({ key }) => !leftOut.has(key));
    heard.set(channelId, topics);
  }
  return lines.flatMap((line) => {
    const all =
      isOfChannel(line) && line.topicKey === undefined ? heard.get(line.place) : undefined;
    const topics = all?.filter(({ maxId }) => maxId > line.after);
    return topics === undefined || topics.length > topicsMax
      ? [line]
      : topics.map(({ key }) => ({ ...line, topicKey: key }));
  });
}
