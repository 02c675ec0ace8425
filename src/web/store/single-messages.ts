import { signal } from "@preact/signals";
import { applyMessages, type FlaggedMessage, type Messages } from "../model/message";
import type { Event } from "../model/wire";
import { Refusal, read } from "../net/api";
import { onEvents, onMissedEvents } from "./event-followers";

/* Messages that are asked for one by one, for lists that name them: reminders, uses of files. */

const messages = signal<Messages>(new Map());
/** Ids of messages that were answered, or that the answer omitted because they cannot be read. */
const answered = new Set<number>();

/** A message of a list: "gone" where it cannot be read; undefined until it was asked for. */
export function singleMessage(id: number): FlaggedMessage | "gone" | undefined {
  return messages.value.get(id) ?? (answered.has(id) ? "gone" : undefined);
}

const wanted = new Set<number>();

/** Asks for messages, together with all that are wanted at this moment. */
export function wantMessages(ids: readonly number[]): void {
  const missing = ids.filter((id) => !answered.has(id) && !wanted.has(id));
  if (missing.length === 0) return;
  if (wanted.size === 0) queueMicrotask(() => void loadWanted());
  for (const id of missing) wanted.add(id);
}

/** Events that have come while requests were under way, which their answers may not know yet. */
const lateEvents = new Set<Event[]>();
/**
 * Number of times that events were missed: an answer from before may lack the changes of these
 * events.
 */
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
    // The next opening of the list asks anew.
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
