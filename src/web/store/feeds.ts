import { signal } from "@preact/signals";
import { applyMessages, arrived, type FlaggedMessage, type Messages } from "../model/message";
import { type Narrow, narrowParameter } from "../model/narrow";
import { everything, narrowKey } from "../model/narrow-kind";
import type { Event } from "../model/wire";
import { Refusal, read } from "../net/api";
import {
  candidateIdsIn,
  type Feed,
  type FeedStart,
  feedAfter,
  idsToLoad,
  isChosenAnew,
  isReady,
  latestFeeds,
  type Match,
  mayAddMessages,
  mayMissMessages,
  merged,
  shortened,
  stayingIn,
  undecided,
  withMessages,
  withoutStrays,
} from "./feed-fold";
import { reasonOfFeed } from "./feed-refusal";
import { type Answered, ask, type End, rangeBack, rangeOf } from "./feed-requests";
import { isConnected, me, model } from "./state";

export type { Feed, Match } from "./feed-fold";

/** The number of feeds that are kept, so that going back is instant. */
const feedsMax = 20;

/** Feeds by the key of their narrow. The feed that was opened last comes last. */
const feeds = signal<ReadonlyMap<string, Feed>>(new Map());
/** The messages of all feeds, each once. */
const loaded = signal<Messages>(new Map());
/** Requests in progress, by the feed's generation and the end that they extend. */
const loading = new Set<string>();
/** Lists of events that arrived during requests. The answers may not include them. */
const lateEvents = new Set<Event[]>();

const keyOf = (narrow: Narrow): string => narrowKey(narrow, me.value);

export const feedOf = (narrow: Narrow): Feed | undefined => feeds.value.get(keyOf(narrow));

/** A loaded message, whichever feed it belongs to. */
export const messageOf = (id: number): FlaggedMessage | undefined => loaded.value.get(id);

const empty: Omit<Feed, "narrow" | "openedAt" | "generation"> = {
  start: "unread",
  openedTop: undefined,
  messages: [],
  isOldest: false,
  isNewest: false,
  isLoaded: false,
  matches: new Map(),
  isIncomplete: false,
  isStale: false,
  refusal: undefined,
};

let generations = 0;

/** Opens the feed of a narrow. Its cached messages stay, unless the requested one is missing. */
export function openFeed(narrow: Narrow, messageId: number | undefined, openedTop?: number): void {
  const key = keyOf(narrow);
  const kept = feeds.value.get(key);
  const isThere = kept !== undefined && isReady(kept, messageId);
  const others = [...feeds.value].filter(([other]) => other !== key).slice(1 - feedsMax);
  generations += 1;
  const begun = isThere ? kept : { ...empty, generation: generations };
  const feed = { ...begun, narrow, openedAt: messageId, openedTop };
  feeds.value = new Map([...others, [key, feed]]);
  if (!isThere) void load(feed, "around");
  else if (feed.isStale) void refresh(feed);
}

/** Loads a feed again from an end, because its messages there are not loaded. */
export function restart({ narrow }: Feed, start: FeedStart): void {
  generations += 1;
  const feed = { ...empty, narrow, openedAt: undefined, start, generation: generations };
  feeds.value = new Map(feeds.value).set(keyOf(narrow), feed);
  void load(feed, "around");
}

/** Loads more of a feed at an end, unless that end is reached or already being loaded. */
export function loadMore(feed: Feed, end: "older" | "newer"): void {
  if (!feed.isLoaded || (end === "older" ? feed.isOldest : feed.isNewest)) return;
  void load(feed, end);
}

/** Requests a feed once more after a refusal; one that is whole only loses the refusal. */
export function retry(feed: Feed): void {
  if (feed.isStale) void refresh(feed);
  else if (feed.isLoaded) change(feed, (current) => ({ ...current, refusal: undefined }));
  else void load(feed, "around");
}

/** Requests what the open feed misses once the server answers; others when they are opened. */
isConnected.subscribe((isNow) => {
  const open = [...feeds.peek().values()].at(-1);
  if (isNow && open && (open.refusal !== undefined || open.isStale)) retry(open);
});

async function load(feed: Feed, end: End): Promise<void> {
  const request = `${feed.generation} ${end}`;
  if (loading.has(request)) return;
  loading.add(request);
  const late = listen();
  let isAnswered = false;
  try {
    const answer = await ask(feed.narrow, rangeOf(feed, end));
    const { messages, matches } = taken(feed.narrow, answer.messages, late);
    change(feed, (current) =>
      shortened(
        {
          ...current,
          messages: merged(current.messages, messages),
          matches: new Map([...current.matches, ...matches]),
          isOldest: current.isOldest || (end !== "newer" && answer.found_oldest),
          isNewest: current.isNewest || (end !== "older" && answer.found_newest),
          isLoaded: true,
          // Events that were missed since the request was sent may be missing in its answer.
          isStale: current.isStale && (end !== "around" || !feed.isStale),
          isIncomplete: answer.search_incomplete === true,
          refusal: undefined,
        },
        end,
      ),
    );
    forget();
    isAnswered = true;
  } catch (error) {
    refuse(feed, error, end === "newer");
    if (error instanceof Refusal && error.status === 0) await showKept(feed);
  } finally {
    loading.delete(request);
    lateEvents.delete(late);
  }
  if (!isAnswered) return;
  // This comes last, because both may cause the feed to be loaded again.
  join(late);
  if (end === "around" && feedOf(feed.narrow)?.isStale) refreshSoon(feed);
}

type LoadKept = () => Promise<{
  keptMessages(narrow: Narrow): Promise<readonly FlaggedMessage[]>;
}>;
let loadKept: LoadKept | undefined;

/** Sets the function that loads messages stored in the browser. */
export function provideKept(load: LoadKept): void {
  loadKept = load;
}

/** Shows the stored messages of a feed that is not loaded, until the server is reached. */
async function showKept(feed: Feed): Promise<void> {
  // Without a service worker, that part of the client cannot be loaded either.
  const part = await loadKept?.().catch(() => undefined);
  const messages = await part?.keptMessages(feed.narrow);
  if (!messages?.[0]) return;
  change(feed, (current) => {
    if (current.isLoaded) return current;
    loaded.value = withMessages(loaded.value, messages);
    const shown = { messages, isLoaded: true, isNewest: true, isStale: true };
    return { ...current, ...shown, refusal: undefined };
  });
}

/** Loads the open feed again after missed events; other feeds when they are opened. */
export function refreshFeeds(): void {
  feeds.value = new Map([...feeds.value].map(([key, feed]) => [key, { ...feed, isStale: true }]));
  const open = [...feeds.value.values()].at(-1);
  if (open) void refresh(open);
}

/**
 * By generation: feeds that are being loaded again, and whether they must be loaded once more after
 * that.
 */
const refreshing = new Map<number, { isAgain: boolean }>();

/** Loads the messages of a feed again. Only one load runs at a time. */
async function refresh(feed: Feed): Promise<void> {
  const running = refreshing.get(feed.generation);
  if (running) {
    running.isAgain = true;
    return;
  }
  const own = { isAgain: false };
  refreshing.set(feed.generation, own);
  await readAnew(feed);
  refreshing.delete(feed.generation);
  const current = feedOf(feed.narrow);
  if (own.isAgain && current?.generation === feed.generation) await refresh(current);
}

/** Loads a feed again from its last message backwards, and then newer messages. */
async function readAnew(feed: Feed): Promise<void> {
  const [first] = feed.messages;
  let anchor = feed.messages.at(-1)?.id;
  if (first === undefined || anchor === undefined) return load(feed, "around");
  const late = listen();
  const fresh: Answered[] = [];
  let isOldest = false;
  let isIncomplete = false;
  try {
    for (let isDone = false; !isDone; ) {
      const count = Math.max(feed.messages.length, fresh.length);
      const answer = await ask(feed.narrow, rangeBack(anchor, count));
      fresh.unshift(...answer.messages);
      anchor = fresh[0]?.id ?? first.id;
      isOldest = answer.found_oldest;
      isIncomplete ||= answer.search_incomplete === true;
      isDone = isOldest || anchor <= first.id;
    }
    const { messages, matches } = taken(feed.narrow, fresh, late);
    const refreshed = change(feed, (current) =>
      shortened(
        {
          ...current,
          messages,
          matches,
          isOldest,
          isNewest: false,
          isIncomplete,
          isStale: false,
          refusal: undefined,
        },
        "newer",
      ),
    );
    join(late);
    if (refreshed && feed.isNewest) await load(refreshed, "newer");
  } catch (error) {
    refuse(feed, error, true);
  } finally {
    lateEvents.delete(late);
  }
}

/** Notes why messages could not be loaded: newer than the loaded ones, if `isBelow`. */
function refuse(feed: Feed, error: unknown, isBelow: boolean): void {
  const refusal = { why: reasonOfFeed(feed.narrow, error), isBelow };
  change(feed, (current) => ({ ...current, refusal }));
}

/** Drops feeds that were not open for the longest time, and messages of no feed. */
function forget(): void {
  feeds.value = latestFeeds(feeds.value);
  loaded.value = withoutStrays(loaded.value, feeds.value);
}

/** A list that collects events from now on, until it is removed from `lateEvents`. */
function listen(): Event[] {
  const late: Event[] = [];
  lateEvents.add(late);
  return late;
}

/** Changes a feed and returns it, unless it was dropped or loaded anew since the request. */
function change(asked: Feed, changed: (feed: Feed) => Feed): Feed | undefined {
  const key = keyOf(asked.narrow);
  const current = feeds.value.get(key);
  if (current?.generation !== asked.generation) return undefined;
  const after = changed(current);
  feeds.value = new Map(feeds.value).set(key, after);
  return after;
}

/**
 * Takes in an answer, and applies the events that arrived meanwhile. Messages that they removed are
 * left out. Returns the messages with the words of a search marked.
 */
function taken(narrow: Narrow, answered: readonly Answered[], late: readonly Event[]) {
  const matches = new Map<number, Match>();
  const byId = new Map<number, FlaggedMessage>();
  for (const { match_content: content, match_subject: topic, ...message } of answered) {
    byId.set(message.id, message);
    if (content !== undefined) matches.set(message.id, { content, topic: topic ?? "" });
  }
  const fresh: Messages = byId;
  const stays = stayingIn(narrow, model.value);
  const messages = [...late.reduce(applyMessages, fresh).values()]
    .filter((message) => message === fresh.get(message.id) || stays(message))
    .map(unlessEqual);
  loaded.value = withMessages(loaded.value, messages);
  return { messages, matches };
}

/** The loaded object of a message if nothing has changed, so that it is not rendered again. */
function unlessEqual(message: FlaggedMessage): FlaggedMessage {
  const before = loaded.value.get(message.id);
  return before && JSON.stringify(before) === JSON.stringify(message) ? before : message;
}

/** Applies events to the loaded messages and to the feeds. */
export function applyToFeeds(events: readonly Event[]): void {
  for (const late of lateEvents) late.push(...events);
  join(events);
}

/** Changes the feeds by events, and requests messages that some events add to them. */
function join(events: readonly Event[]): void {
  fold(events);
  for (const feed of feeds.value.values()) if (isChosenAnew(feed, events)) refreshSoon(feed);
  const adding = events.filter(mayAddMessages);
  if (adding.length > 0) void fetchAdded(adding);
}

/** Changes the feeds by events. Events that were applied before change nothing. */
function fold(events: readonly Event[]): void {
  const arrivals = events.flatMap((event) => (event.type === "message" ? [arrived(event)] : []));
  const isNew = ({ id }: FlaggedMessage) => !loaded.value.has(id);
  const fresh = arrivals.filter(isNew);
  const before = fresh.length === 0 ? loaded.value : withMessages(loaded.value, fresh);
  const messages = events.reduce(applyMessages, before);
  const candidateIds = candidateIdsIn(events);
  const mayAdd = candidateIds.length > 0 || events.some(mayAddMessages);
  if (messages === loaded.value && !mayAdd) return;
  loaded.value = messages;
  const now = { messages, candidateIds, events, model: model.value };
  const current = (feed: Feed) => shortened(feedAfter(feed, now), "newer");
  const after = new Map([...feeds.value].map(([key, feed]) => [key, current(feed)]));
  if ([...after].some(([key, feed]) => feeds.value.get(key) !== feed)) feeds.value = after;
  forget();
  askForUndecided((feed) => undecided(feed, now));
  for (const feed of feeds.value.values()) if (mayMissMessages(feed, now)) refreshSoon(feed);
}

/** Loads a feed that may lack messages again, now or when it is opened. */
function refreshSoon(feed: Feed): void {
  const stale = change(feed, (current) => ({ ...current, isStale: true }));
  if (stale && stale === [...feeds.value.values()].at(-1)) void refresh(stale);
}

/** Asks the server which messages belong to the open feed. Others ask when they are opened. */
function askForUndecided(idsOf: (feed: Feed) => readonly number[]): void {
  const open = [...feeds.value.values()].at(-1);
  for (const feed of feeds.value.values()) {
    const ids = idsOf(feed);
    if (ids.length === 0) continue;
    if (feed === open) void askWhether(feed, ids);
    else refreshSoon(feed);
  }
}

async function askWhether(feed: Feed, ids: readonly number[]): Promise<void> {
  try {
    const { messages: matching } = await read("/messages/matches_narrow", {
      msg_ids: ids,
      narrow: narrowParameter(feed.narrow),
    });
    const isSearch = feed.narrow.some(({ operator }) => operator === "search");
    const joining = ids.filter((id) => Object.hasOwn(matching, id));
    const marked = joining.flatMap((id) => {
      const match = matching[id];
      return match
        ? [[id, { content: match.match_content, topic: match.match_subject }] as const]
        : [];
    });
    change(feed, (current) => ({
      ...current,
      messages: merged(
        current.messages,
        joining.flatMap((id) => loaded.value.get(id) ?? []),
      ),
      matches: isSearch ? new Map([...current.matches, ...marked]) : current.matches,
    }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refreshSoon(feed);
  }
}

/** Loads messages that events have added to feeds and that were not loaded before. */
async function fetchAdded(events: readonly Event[]): Promise<void> {
  const missingIn = (feed: Feed) => idsToLoad(feed, events).filter((id) => !loaded.value.has(id));
  const lacking = [...feeds.value.values()].filter((feed) => missingIn(feed).length > 0);
  const missing = [...new Set(lacking.flatMap(missingIn))];
  if (missing.length === 0) return;
  const late = listen();
  try {
    const { messages } = await read("/messages", {
      message_ids: missing,
      client_gravatar: true,
      allow_empty_topic_name: true,
    });
    taken(everything, messages, late);
    // Messages that the answer omits no longer exist, and are not requested again.
    fold([...events, ...late]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const feed of lacking) refreshSoon(feed);
  } finally {
    lateEvents.delete(late);
  }
}
