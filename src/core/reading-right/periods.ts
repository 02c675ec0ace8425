/**
 * A time during which somebody was subscribed to a channel: the log's entries with `fromLog < id <=
 * toLog` and the messages with `fromMessage < id <= toMessage`, open at its end when null.
 */
export interface Period {
  channelId: number;
  fromLog: number;
  toLog: number | null;
  fromMessage: number;
  toMessage: number | null;
}

/** Somebody's periods: of one channel where the function says so, else of all their channels. */
export type Periods = readonly Period[];

const none: Periods = [];
const grouped = new WeakMap<Periods, Map<number, Periods>>();
/** Periods of the last request, because messages that are checked together are in few channels. */
let last: { periods: Periods; channelId: number; found: Periods } = {
  periods: none,
  channelId: 0,
  found: none,
};

/**
 * Somebody's periods in one channel. They are grouped once, however many messages are checked
 * against them.
 */
export function periodsIn(periods: Periods, channelId: number): Periods {
  if (last.periods === periods && last.channelId === channelId) return last.found;
  let byChannel = grouped.get(periods);
  if (!byChannel) {
    byChannel = Map.groupBy(periods, (period) => period.channelId);
    grouped.set(periods, byChannel);
  }
  last = { periods, channelId, found: byChannel.get(channelId) ?? none };
  return last.found;
}

/*
 * `isSubscribedNow` and `holdsPlace` are loops and not `some`, because they are asked several times
 * for each message of an answer: with a function for each period, a read takes 2 % longer.
 */

/** Whether one of a channel's periods is open, which means that somebody is subscribed now. */
export function isSubscribedNow(ofChannel: Periods): boolean {
  for (const { toLog } of ofChannel) if (toLog === null) return true;
  return false;
}

/** Whether somebody was subscribed at a place in the log, by their periods in a channel. */
export const wasSubscribedAt = (ofChannel: Periods, logId: number): boolean =>
  ofChannel.some(({ fromLog, toLog }) => fromLog < logId && (toLog === null || logId <= toLog));

/**
 * Whether somebody was subscribed when the message with this id was sent, by their periods in a
 * channel. For a message that was moved, the id is the newest of all messages at that moment.
 */
export function holdsPlace(
  ofChannel: readonly Pick<Period, "fromMessage" | "toMessage">[],
  place: number,
): boolean {
  for (const { fromMessage, toMessage } of ofChannel) {
    if (fromMessage < place && (toMessage === null || place <= toMessage)) return true;
  }
  return false;
}

/** The channels that somebody is subscribed to now. */
export const openChannelIds = (periods: Periods): Set<number> =>
  new Set(periods.filter(({ toLog }) => toLog === null).map(({ channelId }) => channelId));
