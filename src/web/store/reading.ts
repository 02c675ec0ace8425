import { effect, signal } from "@preact/signals";
import { type Narrow, narrowParameter } from "../model/narrow";
import { hasWholeConversations, isMixed } from "../model/narrow-kind";
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
/** The delay before the server is asked again after a temporary refusal. */
const retryMilliseconds = 5_000;
const idsPerRequest = 1_000;

/**
 * Whether messages of a view are marked as read when they come into sight, according to the
 * person's setting. Views of single messages never do that, because nobody has read the
 * conversations around them.
 */
export function isReadBySight(narrow: Narrow): boolean {
  const { web_mark_read_on_scroll_policy: policy } = settings.value;
  if (policy === policies.always) return hasWholeConversations(narrow);
  return policy === policies.inConversations && !isMixed(narrow);
}

/** Whether marking by sight is stopped, because the person has marked messages as unread. */
export const isReadingStopped = signal(false);

/** Read messages that were not reported to the server yet. */
const waiting = new Set<number>();
/** Read messages that are being reported to the server. */
const underWay = new Set<number>();
/** Reported messages, so that they are not reported twice before their events arrive. */
const announced = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Notes that messages were read. They are reported to the server in a moment, or when it answers
 * again.
 */
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
    // Any other refusal would be repeated for ever.
    move(ids, underWay, passes ? waiting : undefined);
  }
  timer = waiting.size > 0 ? setTimeout(() => void send(), pause) : undefined;
}

/** Moves messages from one set to another. Messages that became unread meanwhile are in no set. */
function move(ids: readonly number[], from: Set<number>, into: Set<number> | undefined): void {
  for (const id of ids) if (from.delete(id)) into?.add(id);
}

/** Reports the waiting messages now. */
function sendNow(): void {
  if (timer === undefined) return;
  clearTimeout(timer);
  void send();
}

/** Reports waiting messages before the tab is left, and as soon as the server answers again. */
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
 * Applies events about messages that are unread again. If they are open here, marking by sight
 * stops: they were marked in another tab or device, and would be read again at once.
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

/** To be called when the unread messages have been loaded again. */
export const renewReading = (): void => announced.clear();

const setRead = (messages: readonly number[], op: "add" | "remove") =>
  post("/messages/flags", { messages, op, flag: "read" });

async function setAllRead(ids: readonly number[], op: "add" | "remove"): Promise<void> {
  for (let start = 0; start < ids.length; start += idsPerRequest)
    await setRead(ids.slice(start, start + idsPerRequest), op);
}

/**
 * Marks a message and those after it in a view as unread. Marking by sight stops until the person
 * leaves the view and returns.
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

/** Marks a topic as read. This can be undone. */
export function markTopicRead(channelId: number, topic: string): Promise<void> {
  const key = topic.toLowerCase();
  const ids = [...unread.value.topics.values()]
    .filter((one) => one.channelId === channelId && one.topic.toLowerCase() === key)
    .flatMap((one) => one.ids);
  const older = () => post("/mark_topic_as_read", { stream_id: channelId, topic_name: topic });
  return markRead(ids, words.actions.markedRead(topicName(topic)), older);
}

/** Marks a channel as read. This can be undone. */
export function markChannelRead(channelId: number): Promise<void> {
  const ids = [...unread.value.topics.values()]
    .filter((one) => one.channelId === channelId)
    .flatMap((one) => one.ids);
  const older = () => post("/mark_stream_as_read", { stream_id: channelId });
  return markRead(ids, words.actions.markedRead(channelName(channelId)), older);
}

/** Marks a direct conversation as read. This can be undone. */
export function markDirectRead(key: string): Promise<void> {
  const ids = unread.value.direct.get(key) ?? [];
  const name = directName(peopleOfKey(key));
  return markRead(ids, words.actions.markedRead(name), () => setAllRead(ids, "add"));
}

/** Marks everything as read. This can be undone. */
export function markEverythingRead(): Promise<void> {
  const ids = [
    ...[...unread.value.topics.values()].flatMap((topic) => topic.ids),
    ...[...unread.value.direct.values()].flat(),
  ];
  return markRead(ids, words.actions.markedAllRead, () => post("/mark_all_as_read"));
}

/**
 * Marks messages as read, and also those that are older than the messages that the page knows. Undo
 * makes the known ones unread again.
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
