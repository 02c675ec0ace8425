/** A message as it is stored. */
export interface Stored {
  id: number;
  content: string;
  channel: string;
}

/** Messages that one client was given, in order. */
export interface Received {
  channels: string[];
  messageIds: number[];
  eventIds: number[];
  isRefused: boolean;
}

/**
 * Numbers of messages that were lost and so on, over the storage and all listeners; `problems`
 * tells of the first of them.
 */
export interface Verdict {
  lost: number;
  doubled: number;
  outOfOrder: number;
  queuesRefused: number;
  problems: string[];
}

const shownMax = 10;

/**
 * Compares what was acknowledged with what is stored, and that with what each listener has
 * received: every message of its channels exactly once, in the order of their ids.
 */
export function judge(
  acknowledged: Map<string, number>,
  stored: Stored[],
  listeners: Received[],
): Verdict {
  const idByContent = new Map(stored.map(({ id, content }) => [content, id]));
  const lost = [...acknowledged]
    .filter(([content, id]) => idByContent.get(content) !== id)
    .map(([content]) => content);
  const doubled = repeated(stored.map(({ content }) => content));
  const outOfOrder: string[] = [];
  for (const [index, { channels, messageIds, eventIds }] of listeners.entries()) {
    const label = (what: string) => (id: number) => `${what} ${id} at listener ${index}`;
    const received = new Set(messageIds);
    const due = stored.filter(({ channel }) => channels.includes(channel)).map(({ id }) => id);
    lost.push(...due.filter((id) => !received.has(id)).map(label("message")));
    doubled.push(
      ...repeated(messageIds).map(label("message")),
      ...repeated(eventIds).map(label("event")),
    );
    outOfOrder.push(
      ...fallsIn(messageIds).map(label("message")),
      ...fallsIn(eventIds).map(label("event")),
    );
  }
  const problems = [
    ...lost.slice(0, shownMax).map((what) => `lost: ${what}`),
    ...doubled.slice(0, shownMax).map((what) => `doubled: ${what}`),
    ...outOfOrder.slice(0, shownMax).map((what) => `out of order: ${what}`),
  ];
  const queuesRefused = listeners.filter(({ isRefused }) => isRefused).length;
  return {
    lost: lost.length,
    doubled: doubled.length,
    outOfOrder: outOfOrder.length,
    queuesRefused,
    problems,
  };
}

function repeated<Value>(values: Value[]): Value[] {
  const seen = new Set<Value>();
  return values.filter((value) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated;
  });
}

/** The ids that are lower than the one before them. */
const fallsIn = (ids: number[]) =>
  ids.filter((id, index) => id < (ids[index - 1] ?? Number.NEGATIVE_INFINITY));
