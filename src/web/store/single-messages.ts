import { signal } from "@preact/signals";
import { applyMessages, type FlaggedMessage, type Messages } from "../model/message";
import type { Event } from "../model/wire";
import { Refusal, read } from "../net/api";
import { onEvents, onMissedEvents } from "./event-followers";

/* Messages that are asked for one by one, for lists that name them: reminders, uses of files. */

const messages = signal<Messages>(new Map());
/** Ids of messages that were loaded, or that the answer omitted because they cannot be read. */
const answered = new Set<number>();

/** A message of a list: "gone" if it cannot be read; undefined until it is loaded. */
export function singleMessage(id: number): FlaggedMessage | "gone" | undefined {
  return messages.value.get(id) ?? (answered.has(id) ? "gone" : undefined);
}

const wanted = new Set<number>();

/** Requests messages, together with all others that are requested at this moment. */
export function wantMessages(ids: readonly number[]): void {
  const missing = ids.filter((id) => !answered.has(id) && !wanted.has(id));
  if (missing.length === 0) return;
  if (wanted.size === 0) queueMicrotask(() => void loadWanted());
  for (const id of missing) wanted.add(id);
}

/**
 * Lists of events that arrived while requests were in progress. The answers may not include them.
 */
const lateEvents = new Set<Event[]>();
/** The number of times that events were missed. An answer from before may lack their changes. */
let missedCount = 0;

async function loadWanted(): Promise<void> {
  const ids = [...wanted];
  wanted.clear();
  const late: Event[] = [];
  lateEvents.add(late);
  const missedBefore = missedCount;
  try {
    const answer = await read("/messages", { message_ids: ids, allow_empty_topic_name: true });
    if (missedBefore !== missedCount) return wantMessages(ids);
    const found: Messages = new Map(answer.messages.map((message) => [message.id, message]));
    for (const id of ids) answered.add(id);
    const asked = new Set(ids);
    const others = [...messages.peek()].filter(([id]) => !asked.has(id));
    messages.value = new Map([...others, ...late.reduce(applyMessages, found)]);
  } catch (error) {
    // The messages are requested again when a list is opened.
    if (!(error instanceof Refusal)) throw error;
  } finally {
    lateEvents.delete(late);
  }
}

onEvents((events) => {
  for (const late of lateEvents) late.push(...events);
  messages.value = events.reduce(applyMessages, messages.peek());
});

onMissedEvents(() => {
  missedCount += 1;
  const ids = [...answered];
  answered.clear();
  wantMessages(ids);
});
