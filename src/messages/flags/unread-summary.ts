import type { Reader } from "../../../db/reader";
import { listPeriods, type SubscriptionPeriod } from "../../subscriptions/queries";
import { topicKey } from "../../topics/empty-topic";
import { newestMessageId } from "../../users/queries";
import type { MessageReader } from "../queries";
import { listExceptions, listWatermarks } from "./read-state";
import { listUnread, type UnreadMessage, unreadAmong, unreadDirect, unreadMax } from "./unread";
import { fromUnreadIndex, type Place, type Stretch } from "./unread-index";

type Who = Pick<MessageReader, "realmId" | "userId">;

/** The unread messages of a topic, oldest first. */
export interface UnreadTopic {
  channelId: number;
  /** As the newest of them spells it. */
  topic: string;
  ids: number[];
}

/** A user's unread messages as clients count them. */
export interface UnreadSummary {
  count: number;
  /** The one with the oldest message first. */
  topics: UnreadTopic[];
  /** Oldest first. */
  direct: UnreadMessage[];
  /** Which of them mention all of their channel or conversation. */
  wildcards: ReadonlySet<number>;
}

/**
 * Says the same as `listUnread`, for a reader who sees one moment: mostly of what is held in memory for all of the realm's
 * people, and of what is new since.
 */
export async function summarizeUnread(reader: Reader, who: Who): Promise<UnreadSummary> {
  return (await summarizeHeld(reader, who)) ?? summaryOf(await listUnread(reader, who));
}

/** Undefined where it is too much to hold, or more than is told of. */
async function summarizeHeld(reader: Reader, who: Who): Promise<UnreadSummary | undefined> {
  const { realmId, userId } = who;
  // At once: on PostgreSQL they travel together.
  const [newest, periods, marks, exceptionIds, direct] = await Promise.all([
    newestMessageId(reader, realmId),
    listPeriods(reader, realmId, userId),
    listWatermarks(reader, realmId, userId),
    listExceptions(reader, realmId, userId),
    unreadDirect(reader, who, unreadMax + 1),
  ]);
  if (direct.length > unreadMax) return undefined;
  const stretches = stretchesOf(periods, marks, newest);
  const exceptions = new Set(exceptionIds);
  const found = await fromUnreadIndex(reader, realmId, { newest, stretches }, (index) => {
    const gathering = new Gathering(periods, exceptions);
    for (const stretch of stretches) index.visit(stretch, userId, gathering.add);
    return { gathering, wildcards: index.wildcards };
  });
  if (!found) return undefined;
  const { gathering, wildcards } = found;
  const directUnread = direct.filter(({ id }) => !exceptions.delete(id));
  const others = await unreadAmong(reader, who, [...exceptions]);
  exceptions.clear();
  for (const other of others) if (other.channelId !== null) gathering.add(other.id, placeOf(other));
  directUnread.push(...others.filter(({ channelId }) => channelId === null));
  const count = gathering.count + directUnread.length;
  if (count > unreadMax) return undefined;
  const more = [...directUnread, ...others].filter(({ mentionsAllOf }) => mentionsAllOf !== null).map(({ id }) => id);
  return {
    ...{ count, topics: gathering.topics(), direct: directUnread.sort((a, b) => a.id - b.id) },
    wildcards: more.length === 0 ? wildcards : new Set([...wildcards, ...more]),
  };
}

/** What has come to somebody in channels and is above their watermarks. */
const stretchesOf = (periods: readonly SubscriptionPeriod[], marks: ReadonlyMap<number, number>, newest: number) =>
  periods.flatMap(({ channelId, fromMessage, toMessage }): Stretch[] => {
    const after = Math.max(fromMessage, marks.get(channelId) ?? 0);
    const upTo = Math.min(toMessage ?? newest, newest);
    return after < upTo ? [{ channelId, after, upTo }] : [];
  });

const placeOf = ({ channelId, topic }: UnreadMessage): Place => ({
  ...{ channelId: channelId ?? 0, topic },
  key: `${channelId}:${topicKey(topic)}`,
});

interface Gathered extends UnreadTopic {
  newest: number;
  isInOrder: boolean;
}

/** Puts messages together by their topics, but those in channels that the user is not in now, and exceptions. */
class Gathering {
  count = 0;
  private readonly byKey = new Map<string, Gathered>();
  /** By objects, which are found faster than texts. */
  private readonly byPlace = new Map<Place, Gathered>();
  private readonly channels: ReadonlySet<number>;

  constructor(
    periods: readonly SubscriptionPeriod[],
    private readonly exceptions: Set<number>,
  ) {
    this.channels = new Set(periods.filter(({ toLog }) => toLog === null).map(({ channelId }) => channelId));
  }

  readonly add = (id: number, place: Place) => {
    const topic = this.byPlace.get(place) ?? this.comeTo(place);
    if (!topic || (this.exceptions.size > 0 && this.exceptions.delete(id))) return;
    if (id > topic.newest) {
      topic.newest = id;
      topic.topic = place.topic;
    } else topic.isInOrder = false;
    topic.ids.push(id);
    this.count += 1;
  };

  topics(): UnreadTopic[] {
    // Of some topics all that is above the watermark has been read.
    const topics = [...this.byKey.values()].filter(({ ids }) => ids.length > 0);
    for (const { ids, isInOrder } of topics) if (!isInOrder) ids.sort((a, b) => a - b);
    return topics.sort((a, b) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0));
  }

  private comeTo(place: Place): Gathered | undefined {
    const { channelId, topic, key } = place;
    if (!this.channels.has(channelId)) return undefined;
    const found = this.byKey.get(key) ?? { channelId, topic, ids: [], newest: 0, isInOrder: true };
    this.byKey.set(key, found);
    this.byPlace.set(place, found);
    return found;
  }
}

function summaryOf(unread: UnreadMessage[]): UnreadSummary {
  const inChannels = unread.filter(({ channelId }) => channelId !== null);
  const topics = Map.groupBy(inChannels, (message) => placeOf(message).key);
  return {
    count: unread.length,
    topics: [...topics.values()].map((messages) => ({
      channelId: messages.at(-1)?.channelId ?? 0,
      topic: messages.at(-1)?.topic ?? "",
      ids: messages.map(({ id }) => id),
    })),
    direct: unread.filter(({ channelId }) => channelId === null),
    wildcards: new Set(unread.filter(({ mentionsAllOf }) => mentionsAllOf !== null).map(({ id }) => id)),
  };
}
