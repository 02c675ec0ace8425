import { effect } from "@preact/signals";
import { now } from "../clock";
import { conversationKey } from "../model/conversations";
import { type KeptConversation, keptMax, latestConversations } from "../model/kept";
import { applyMessages, arrived, type FlaggedMessage, type Messages } from "../model/message";
import type { Event } from "../model/wire";
import { Refusal, read, remove } from "../net/api";
import { pauseAfter } from "../net/backoff";
import { buildOfPage } from "../net/page-facts";
import { untilWorthTrying } from "../net/pause";
import { isFinal, passRefusal } from "../net/refusal";
import { register, type Snapshot } from "../net/register";
import { feedOf } from "../store/feeds";
import { place, shownKind } from "../store/place";
import { isPolling } from "../store/queue";
import { serverSeconds } from "../store/server-time";
import { isKeptPage } from "../store/snapshot";
import { me, organization } from "../store/state";
import { keepFiles } from "./keep-files";
import { addEvents, readConversations, writeConversations, writeState } from "./kept-store";

/*
 * Keeps the state and the messages of the latest conversations in the browser, for a page that
 * begins while the server is not reached. The tab that polls does it for all.
 */

/** Changes within this time are written together. */
const writeMilliseconds = 500;
const pageSize = 200;
const pagesMax = 3;
/** The number of messages in one request by ids, because the length of an address is limited. */
const idsMax = 200;

/** Whether a state is stored, so that events can follow it. */
let isKeeping = false;
let messages: Messages = new Map();
const openedAt = new Map<string, number>();
/** The conversations as they were last written. */
let written: ReadonlyMap<string, KeptConversation> = new Map();
let waiting: Event[] = [];
let kept = { events: 0, characters: 0 };
let isToWrite = false;
let last: Promise<void> = Promise.resolve();

/** The number of refusals in a row since a state was last stored. */
let refusals = 0;
const refusalsMax = 10;

/**
 * Runs functions one after the other. If the browser stores nothing, or its storage is full,
 * everything ends. After a refusal by the server, a new state is requested.
 */
function inTurn(run: () => Promise<void>): void {
  last = last.then(run).catch((error: unknown) => {
    isKeeping = false;
    if (error instanceof Refusal) void keepAfter(error);
    else console.warn("Nothing is kept for later:", error);
  });
}

/**
 * Starts again after a refusal, unless the session has ended or there are too many refusals in a
 * row.
 */
async function keepAfter(refusal: Refusal): Promise<void> {
  refusals += 1;
  if (isFinal(refusal) || refusals > refusalsMax) return;
  await untilWorthTrying(pauseAfter(refusals, refusal.retryAfterSeconds));
  inTurn(async () => {
    if (isPolling.peek() && !isKeeping) await keepAsked();
  });
}

/**
 * Starts to store, with the events that the page has received so far; undefined if these are no
 * longer known.
 */
export function keepFrom(events: readonly Event[] | undefined): void {
  void keepFiles();
  navigator.serviceWorker.addEventListener("controllerchange", () => void keepFiles());
  let first = events;
  effect(() => {
    if (!isPolling.value) {
      isKeeping = false;
      first = undefined;
      return;
    }
    const own = first;
    first = undefined;
    // A page that started from a stored state gets a new state as soon as the server is reached.
    if (isKeptPage && own) return;
    inTurn(() => (own ? keepOwn(own) : keepAsked()));
  });
  effect(() => {
    shownKind();
    feedOf(place.value.narrow);
    if (isKeeping) writeSoon();
  });
}

/** Stores the state with which the page started. */
async function keepOwn(events: readonly Event[]): Promise<void> {
  await keepState(document.getElementById("snapshot")?.textContent ?? "");
  takeEvents(events);
}

/** Stores a state that is requested from the server, because the page's own is old. */
async function keepAsked(): Promise<void> {
  const snapshot = await register();
  // A queue that cannot be deleted now expires by itself.
  await remove("/events", { queue_id: snapshot.queue_id }).catch(passRefusal);
  if (snapshot.user_id === me.peek()) await keepState(JSON.stringify(snapshot));
}

/** Stores a new state of the page. */
export function keepRenewed(snapshot: Snapshot): void {
  if (isPolling.peek() && snapshot.user_id === me.peek())
    inTurn(() => keepState(JSON.stringify(snapshot)));
}

async function keepState(snapshot: string): Promise<void> {
  // Another tab may have started to do it meanwhile.
  isKeeping = isPolling.peek() && snapshot.length <= keptMax.snapshotCharacters;
  if (!isKeeping) return;
  waiting = [];
  kept = { events: 0, characters: 0 };
  const words = document.querySelector('script[src*="/words-"]')?.getAttribute("src");
  await writeState({
    userId: me.peek(),
    build: buildOfPage(),
    words: words ?? undefined,
    title: organization.peek().name,
    theme: document.documentElement.dataset["theme"],
    snapshot,
    serverTimestamp: serverSeconds(),
    keptAt: now(),
  });
  await loadMessages();
  refusals = 0;
}

/** Receives events that follow the stored state. */
export function takeEvents(events: readonly Event[]): void {
  if (!isKeeping) return;
  waiting.push(...events.filter(({ type }) => type !== "presence" && type !== "typing"));
  foldMessages(events);
  if (events.some(mayHide)) inTurn(loadMessages);
  writeSoon();
}

/** Whether the person may have lost the right to read messages of a channel. */
const mayHide = (event: Event): boolean =>
  (event.type === "subscription" && event.op === "remove") ||
  (event.type === "stream" && event.op === "delete");

function foldMessages(events: readonly Event[]): void {
  const arrivals = events.flatMap((event) => (event.type === "message" ? [arrived(event)] : []));
  const before: Messages =
    arrivals.length === 0 ? messages : new Map([...messages, ...arrivals.map(withId)]);
  messages = events.reduce(applyMessages, before);
}

const withId = (message: FlaggedMessage) => [message.id, message] as const;

function writeSoon(): void {
  if (isToWrite) return;
  isToWrite = true;
  setTimeout(() => {
    isToWrite = false;
    inTurn(writeAll);
  }, writeMilliseconds);
}

async function writeAll(): Promise<void> {
  if (!isKeeping) return;
  const events = waiting.splice(0);
  kept = {
    events: kept.events + events.length,
    characters: kept.characters + JSON.stringify(events).length,
  };
  if (kept.events > keptMax.events || kept.characters > keptMax.eventCharacters) return keepAsked();
  if (events.length > 0) await addEvents(me.peek(), events);
  takeOpened();
  await writeMessages();
}

/** Stores the newest messages of the open conversation. */
function takeOpened(): void {
  const kind = shownKind()?.kind;
  const feed = feedOf(place.peek().narrow);
  if ((kind !== "topic" && kind !== "direct") || !feed?.isNewest || feed.isStale) return;
  const newest = feed.messages.slice(-keptMax.messagesOfEach);
  messages = new Map([...messages, ...newest.map(withId)]);
  for (const message of newest.slice(-1))
    openedAt.set(conversationKey(message, me.peek()), serverSeconds());
}

async function writeMessages(): Promise<void> {
  const latest = latestConversations(messages.values(), me.peek(), openedAt);
  messages = new Map(latest.flatMap((one) => one.messages.map(withId)));
  const changed = latest.filter((one) => !isWritten(one));
  written = new Map(latest.map((one) => [one.key, one]));
  await writeConversations(me.peek(), new Set(written.keys()), changed);
}

function isWritten({ key, messages: own }: KeptConversation): boolean {
  const before = written.get(key)?.messages;
  return before?.length === own.length && own.every((message, index) => message === before[index]);
}

/**
 * Loads the stored messages again. Messages that were deleted, or that the person may no longer
 * read, are removed.
 */
async function loadMessages(): Promise<void> {
  if (!isKeeping) return;
  messages = new Map();
  written = new Map();
  const before = await readConversations(me.peek());
  for (const { key, openedAt: at } of before)
    openedAt.set(key, Math.max(at, openedAt.get(key) ?? 0));
  const fresh = await newestMessages();
  const ids = before.flatMap((one) => one.messages.map(({ id }) => id));
  const missing = ids.filter((id) => !fresh.has(id));
  for (let start = 0; start < missing.length; start += idsMax)
    for (const message of await messagesOf({ message_ids: missing.slice(start, start + idsMax) }))
      fresh.set(message.id, message);
  // Events that arrived meanwhile have changed the messages that were there before the answers.
  messages = new Map([...fresh, ...messages]);
  messages = waiting.reduce(applyMessages, messages);
  if (isKeeping) writeSoon();
}

async function newestMessages(): Promise<Map<number, FlaggedMessage>> {
  const found = new Map<number, FlaggedMessage>();
  let oldest: number | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const answered = await messagesOf({
      anchor: oldest ?? "newest",
      include_anchor: oldest === undefined,
      num_before: pageSize,
      num_after: 0,
      narrow: [],
    });
    for (const message of answered) found.set(message.id, message);
    oldest = answered[0]?.id;
    const keys = new Set([...found.values()].map((message) => conversationKey(message, me.peek())));
    if (answered.length < pageSize || keys.size >= keptMax.conversations) break;
  }
  return found;
}

const messagesOf = async (asked: Parameters<typeof read>[1]): Promise<readonly FlaggedMessage[]> =>
  (await read("/messages", { ...asked, client_gravatar: true, allow_empty_topic_name: true }))
    .messages;
