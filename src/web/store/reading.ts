import { effect, signal } from "@preact/signals";
import { type Narrow, narrowParameter } from "../model/narrow";
import { isMixed } from "../model/narrow-kind";
import type { Event } from "../model/wire";
import { post, Refusal } from "../net/api";
import { words } from "../words/words";
import { feedOf } from "./feeds";
import { channelName, directName, peopleOfKey, topicName } from "./names";
import { attempt, notify } from "./notices";
import { place } from "./place";
import { isConnected, settings, unread } from "./state";

/** Values of `web_mark_read_on_scroll_policy`. */
const policies = { always: 1, inConversations: 2 } as const;

const pauseMilliseconds = 500;
/** A server that has refused for a reason that passes is asked again after so long. */
const retryMilliseconds = 5_000;
const idsPerRequest = 1_000;

/** Whether messages of a view that come into sight are read by that, as the person has set it. */
export function isReadBySight(narrow: Narrow): boolean {
  const { web_mark_read_on_scroll_policy: policy } = settings.value;
  if (policy === policies.always) return true;
  return policy === policies.inConversations && !isMixed(narrow);
}

/** Whether nothing more is read by sight, because the person has marked messages as unread. */
export const isReadingStopped = signal(false);

/** Messages that were read and of which the server has not heard yet. */
const waiting = new Set<number>();
/** Messages of which the server is being told. */
const underWay = new Set<number>();
/** Messages that the server was told of, so that they are not told twice before its events come. */
const announced = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Takes note that messages were read. The server hears of it in a moment, or when it answers again. */
export function noteRead(ids: readonly number[]): void {
  for (const id of ids) if (!underWay.has(id) && !announced.has(id)) waiting.add(id);
  if (waiting.size > 0) timer ??= setTimeout(() => void send(), pauseMilliseconds);
}

async function send(): Promise<void> {
  const ids = [...waiting].slice(0, idsPerRequest);
  let pause = pauseMilliseconds;
  move(ids, waiting, underWay);
  try {
    if (ids.length > 0) await setRead(ids, "add");
    move(ids, underWay, announced);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status } = error;
    const passes = status === 0 || status === 408 || status === 429 || status >= 500;
    if (passes) pause = Math.max(retryMilliseconds, (error.retryAfterSeconds ?? 0) * 1_000);
    // Another refusal would be repeated for ever.
    move(ids, underWay, passes ? waiting : undefined);
  }
  timer = waiting.size > 0 ? setTimeout(() => void send(), pause) : undefined;
}

/** Moves messages that are still in a set: those that became unread meanwhile are in none. */
function move(ids: readonly number[], from: Set<number>, into: Set<number> | undefined): void {
  for (const id of ids) if (from.delete(id)) into?.add(id);
}

/** Sends what waits: at once when the tab is left or the server answers again. */
function sendNow(): void {
  if (timer === undefined) return;
  clearTimeout(timer);
  void send();
}

/** Sends waiting messages before a tab is left, and as soon as the server answers again. */
export function followReading(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") sendNow();
  });
  addEventListener("online", sendNow);
  effect(() => {
    if (isConnected.value) sendNow();
  });
}

/**
 * Takes note of messages that are unread again. Where they are open here, nothing more is read by
 * sight: they were marked in another tab or device, and would be read again at once.
 */
export function applyToReading(events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== "update_message_flags" || event.flag !== "read" || event.op !== "remove")
      continue;
    for (const some of [waiting, underWay, announced])
      for (const id of event.messages) some.delete(id);
    if (isOpen(new Set(event.messages))) isReadingStopped.value = true;
  }
}

const isOpen = (ids: ReadonlySet<number>): boolean => {
  const { view, narrow } = place.peek();
  return view === "messages" && feedOf(narrow)?.messages.some(({ id }) => ids.has(id)) === true;
};

/** Takes note that what is unread is as the server has it now. */
export const renewReading = (): void => announced.clear();

const setRead = (messages: readonly number[], op: "add" | "remove") =>
  post("/messages/flags", { messages, op, flag: "read" });

async function setAllRead(ids: readonly number[], op: "add" | "remove"): Promise<void> {
  for (let start = 0; start < ids.length; start += idsPerRequest)
    await setRead(ids.slice(start, start + idsPerRequest), op);
}

/**
 * Marks a message and those after it in a view as unread; nothing more is read by sight until the
 * person goes elsewhere and comes back.
 */
export async function markUnreadFrom(messageId: number, narrow: Narrow): Promise<void> {
  isReadingStopped.value = true;
  waiting.clear();
  underWay.clear();
  await attempt(async () => {
    for (let anchor = messageId, isWhole = false; !isWhole; ) {
      const answer = await post("/messages/flags/narrow", {
        anchor,
        include_anchor: anchor === messageId,
        num_before: 0,
        num_after: idsPerRequest,
        narrow: narrowParameter(narrow),
        op: "remove",
        flag: "read",
      });
      anchor = answer.last_processed_id ?? anchor;
      isWhole = answer.found_newest || answer.processed_count === 0;
    }
    notify(words.actions.markedUnread);
  });
}

/** Marks all that is unread in a topic as read; it can be undone. */
export function markTopicRead(channelId: number, topic: string): Promise<void> {
  const key = topic.toLowerCase();
  const ids = [...unread.value.topics.values()]
    .filter((one) => one.channelId === channelId && one.topic.toLowerCase() === key)
    .flatMap((one) => one.ids);
  const older = () => post("/mark_topic_as_read", { stream_id: channelId, topic_name: topic });
  return markRead(ids, words.actions.markedRead(topicName(topic)), older);
}

/** Marks all that is unread in a channel as read; it can be undone. */
export function markChannelRead(channelId: number): Promise<void> {
  const ids = [...unread.value.topics.values()]
    .filter((one) => one.channelId === channelId)
    .flatMap((one) => one.ids);
  const older = () => post("/mark_stream_as_read", { stream_id: channelId });
  return markRead(ids, words.actions.markedRead(channelName(channelId)), older);
}

/** Marks the unread messages of a direct conversation as read; it can be undone. */
export function markDirectRead(key: string): Promise<void> {
  const ids = unread.value.direct.get(key) ?? [];
  const name = directName(peopleOfKey(key));
  return markRead(ids, words.actions.markedRead(name), () => setAllRead(ids, "add"));
}

/** Marks everything as read; it can be undone. */
export function markEverythingRead(): Promise<void> {
  const ids = [
    ...[...unread.value.topics.values()].flatMap((topic) => topic.ids),
    ...[...unread.value.direct.values()].flat(),
  ];
  return markRead(ids, words.actions.markedAllRead, () => post("/mark_all_as_read"));
}

/**
 * Marks messages as read, and with them those that are older than what the page knows of. The ones
 * that it knows can be unread again.
 */
async function markRead(
  ids: readonly number[],
  text: string,
  older: () => Promise<unknown>,
): Promise<void> {
  const { isCut } = unread.value;
  if (!(await attempt(() => (isCut ? older() : setAllRead(ids, "add"))))) return;
  notify(text, ids.length === 0 ? undefined : () => void markUnread(ids));
}

async function markUnread(ids: readonly number[]): Promise<void> {
  // Messages in sight would be read again at once.
  isReadingStopped.value = true;
  await attempt(() => setAllRead(ids, "remove"));
}
