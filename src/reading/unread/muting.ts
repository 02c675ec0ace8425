import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { listFewTopics } from "../../channels/topics/queries";
import { listUserTopics, type UserTopicRow } from "../../channels/user-topics/queries";
import type { OfPerson } from "../../core/context";
import { turn } from "../../core/turns/turn";
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

const selectMutedChannels = statement((db, { subscriptions }, given: Given<OfPerson>) =>
  db
    .select({ channelId: subscriptions.channelId })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.realmId, given.realmId),
        eq(subscriptions.userId, given.userId),
        eq(subscriptions.isActive, true),
        eq(subscriptions.isMuted, true),
      ),
    ),
);

/** The channels and topics that somebody has muted now. */
export async function loadMuting(reader: Reader, who: OfPerson): Promise<Muting> {
  const [channels, topics] = await Promise.all([
    selectMutedChannels(reader, who),
    loadTopicMuting(reader, who),
  ]);
  return { ...topics, channelIds: channels.map(({ channelId }) => channelId) };
}

/** See `loadMuting`, of topics alone. */
export async function loadTopicMuting(
  reader: Reader,
  { realmId, userId }: OfPerson,
): Promise<Muting> {
  const topics = await listUserTopics(reader, realmId, userId);
  const withPolicies = (...policies: number[]) =>
    topics.filter(({ visibilityPolicy }) => policies.includes(visibilityPolicy));
  return {
    channelIds: [],
    mutedTopics: withPolicies(topicPolicies.muted),
    heardTopics: withPolicies(topicPolicies.unmuted, topicPolicies.followed),
  };
}

/** Most topics that a search goes through one by one. */
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

/** Topics of channels that are searched one by one, each with the id of its newest message. */
export type HeardTopics = ReadonlyMap<number, readonly { key: string; maxId: number }[]>;

/**
 * The topics that are not muted, of channels with muted ones, as long as there are few. The cost
 * depends on their number, and not on that of messages.
 */
export async function loadHeardTopics(
  reader: Reader,
  realmId: number,
  lines: readonly Line[],
  { mutedTopics }: Muting,
): Promise<HeardTopics> {
  const muted = Map.groupBy(mutedTopics, ({ channelId }) => channelId);
  const heard = new Map<number, { key: string; maxId: number }[]>();
  let leftCount = topicsMax;
  for (const [channelId, own] of Map.groupBy(lines.filter(isOfTopics), ({ place }) => place)) {
    const leftOut = new Set(muted.get(channelId)?.map(({ topicKey }) => topicKey));
    if (leftOut.size === 0) continue;
    const all = await listFewTopics(reader, realmId, channelId, topicsMax);
    const topics = all?.filter(({ key }) => !leftOut.has(key)) ?? [];
    const count = topics.length * own.length;
    if (all && count <= leftCount) {
      heard.set(channelId, topics);
      leftCount -= count;
    }
    await turn();
  }
  return heard;
}

/** Whether a line has all topics of a channel. */
const isOfTopics = (line: Line) => isOfChannel(line) && line.topicKey === undefined;

/**
 * Lines without muted topics, so that these cost nothing, however many of their messages are
 * unread: a line for each other topic. Channels that are not in `heard` keep theirs.
 */
export const linesOfTopics = (lines: readonly Line[], heard: HeardTopics): readonly Line[] =>
  lines.flatMap((line) => {
    const topics = isOfTopics(line) ? heard.get(line.place) : undefined;
    if (!topics) return [line];
    const withNews = topics.filter(({ maxId }) => maxId > line.after);
    return withNews.map(({ key }) => ({ ...line, topicKey: key }));
  });
