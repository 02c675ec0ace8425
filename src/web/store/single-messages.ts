import { signal } from "@preact/signals";
import type { FlaggedMessage } from "../model/message";
import { Refusal, read } from "../net/api";

/* Messages that are asked for one by one, for lists that name them: reminders, uses of files. */

const messages = signal<ReadonlyMap<number, FlaggedMessage | undefined>>(new Map());

/** A message of a list: "gone" where it cannot be read; undefined until it was asked for. */
export function singleMessage(id: number): FlaggedMessage | "gone" | undefined {
  return messages.value.has(id) ? (messages.value.get(id) ?? "gone") : undefined;
}

const wanted = new Set<number>();

/** Asks for messages, together with all that are wanted at this moment. */
export function wantMessages(ids: readonly number[]): void {
  const missing = ids.filter((id) => !messages.peek().has(id) && !wanted.has(id));
  if (missing.length === 0) return;
  if (wanted.size === 0) queueMicrotask(() => void loadWanted());
  for (const id of missing) wanted.add(id);
}

async function loadWanted(): Promise<void> {
  const ids = [...wanted];
  wanted.clear();
  try {
    const answer = await read("/messages", { message_ids: ids, allow_empty_topic_name: true });
    const found = new Map(answer.messages.map((message) => [message.id, message]));
    messages.value = new Map([
      ...messages.peek(),
      ...ids.map((id) => [id, found.get(id)] as const),
    ]);
  } catch (error) {
    // The next opening of the list asks anew.
    if (!(error instanceof Refusal)) throw error;
  }
}
