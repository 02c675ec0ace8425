import { signal } from "@preact/signals";
import type { Event } from "../model/wire";
import { Refusal, read } from "../net/api";
import { belongs, narrowKey } from "./belongs";
import { type FeedMessage, isMove, messageAfter } from "./feed-events";
import { type Narrow, type Place, termsOf } from "./narrow";
import { me } from "./state";

/** The loaded messages of a narrow: a part of them without gaps, ascending. */
export interface Feed {
  readonly narrow: Narrow;
  readonly messages: readonly FeedMessage[];
  readonly isOldest: boolean;
  readonly isNewest: boolean;
  /** Whether anything was answered yet. */
  readonly isLoaded: boolean;
  /** Reason why the server did not answer what was asked for last. */
  readonly refusal: string | undefined;
  /** Message that the feed was opened at; undefined for the newest. */
  readonly openedAt: number | undefined;
}

const pageSize = 100;
/** So many feeds are kept, so that going back is instant. */
const feedsMax = 20;

/** Feeds by the key of their narrow, the latest opened last. */
const feeds = signal<ReadonlyMap<string, Feed>>(new Map());
/** Requests under way, by the feed's key and the end that they add to. */
const loading = new Set<string>();
/** Events that have come while requests were under way, which their answers may not know yet. */
const lateEvents = new Set<Event[]>();

export const feedOf = (narrow: Narrow): Feed | undefined =>
  feeds.value.get(narrowKey(narrow, me.value));

const empty: Omit<Feed, "narrow" | "openedAt"> = {
  messages: [],
  isOldest: false,
  isNewest: false,
  isLoaded: false,
  refusal: undefined,
};

/** Opens the feed of a place: what is kept of it stays, unless the place is elsewhere. */
export function openFeed({ narrow, messageId }: Place): void {
  const key = narrowKey(narrow, me.value);
  const kept = feeds.value.get(key);
  const isThere =
    kept !== undefined &&
    (messageId === undefined
      ? kept.isNewest
      : kept.openedAt === messageId && kept.messages.some(({ id }) => id === messageId));
  const others = [...feeds.value].filter(([other]) => other !== key).slice(1 - feedsMax);
  const feed = isThere ? kept : { ...empty, narrow, openedAt: messageId };
  feeds.value = new Map([...others, [key, feed]]);
  if (!isThere) void load(key, feed, "around");
}

/** Loads more of a feed at an end; nothing where that end is reached, or asked for already. */
export function loadMore(feed: Feed, end: "older" | "newer"): void {
  if (!feed.isLoaded || (end === "older" ? feed.isOldest : feed.isNewest)) return;
  void load(narrowKey(feed.narrow, me.value), feed, end);
}

/** Asks once more for a feed whose messages were not answered. */
export const retry = (feed: Feed): void =>
  void load(narrowKey(feed.narrow, me.value), feed, "around");

async function load(key: string, feed: Feed, end: "around" | "older" | "newer"): Promise<void> {
  const request = `${end} ${key}`;
  if (loading.has(request)) return;
  loading.add(request);
  const late: Event[] = [];
  lateEvents.add(late);
  try {
    const answer = await read("/messages", {
      narrow: termsOf(feed.narrow),
      ...rangeOf(feed, end),
      client_gravatar: true,
      allow_empty_topic_name: true,
    });
    const withAnswer = (current: Feed): Feed => ({
      ...current,
      messages: merged(current.messages, answer.messages),
      isOldest: current.isOldest || (end !== "newer" && answer.found_oldest),
      isNewest: current.isNewest || (end !== "older" && answer.found_newest),
      isLoaded: true,
      refusal: undefined,
    });
    change(key, feed, (current) => late.reduce(feedAfter, withAnswer(current)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message } = error;
    change(key, feed, (current) => ({ ...current, refusal: message }));
  } finally {
    loading.delete(request);
    lateEvents.delete(late);
  }
}

function rangeOf({ messages, openedAt }: Feed, end: "around" | "older" | "newer") {
  const half = pageSize / 2;
  if (end === "older")
    return { anchor: messages[0]?.id ?? "newest", num_before: pageSize, num_after: 0 };
  if (end === "newer")
    return { anchor: messages.at(-1)?.id ?? "newest", num_before: 0, num_after: pageSize };
  return openedAt === undefined
    ? { anchor: "newest", num_before: pageSize, num_after: 0 }
    : { anchor: openedAt, num_before: half, num_after: half };
}

/** Changes a feed, unless it has been opened anew since a request was sent. */
function change(key: string, asked: Feed, changed: (feed: Feed) => Feed): void {
  const current = feeds.value.get(key);
  if (!current || current.openedAt !== asked.openedAt) return;
  feeds.value = new Map(feeds.value).set(key, changed(current));
}

/** Two lists of messages as one, ascending, each message once. */
function merged(
  before: readonly FeedMessage[],
  more: readonly FeedMessage[],
): readonly FeedMessage[] {
  const byId = new Map([...before, ...more].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/** Folds events into the feeds that are kept. */
export function applyToFeeds(events: readonly Event[]): void {
  for (const late of lateEvents) late.push(...events);
  const before = feeds.value;
  const after = new Map([...before].map(([key, feed]) => [key, events.reduce(feedAfter, feed)]));
  const isSame = [...after].every(([key, feed]) => before.get(key) === feed);
  if (!isSame) feeds.value = after;
  if (!events.some(isMove)) return;
  // A move may have brought messages into the views, which its event does not hold.
  for (const [key, feed] of after)
    if (feed.isLoaded && feed.isNewest) void load(key, { ...feed, messages: [] }, "around");
}

function feedAfter(feed: Feed, event: Event): Feed {
  if (event.type === "message") {
    const isNext = feed.isNewest && belongs(feed.narrow, event.message, me.value);
    const message = { ...event.message, flags: event.flags };
    return isNext ? { ...feed, messages: merged(feed.messages, [message]) } : feed;
  }
  let isSame = true;
  const messages = feed.messages.flatMap((message) => {
    const changed = messageAfter(message, event);
    if (changed === message) return [message];
    isSame = false;
    return changed && belongs(feed.narrow, changed, me.value) ? [changed] : [];
  });
  return isSame ? feed : { ...feed, messages };
}
