import { computed } from "@preact/signals";
import { draftKey, joined } from "../model/local-drafts";
import { type Recipient, recipientKey, wireRecipient } from "../model/recipient";
import { inOrderOfSending, recipientOfScheduled } from "../model/scheduled";
import { secondsOf } from "../model/send-times";
import type { ScheduledMessage } from "../model/wire";
import { patch, post, Refusal, read, remove } from "../net/api";
import { draftOf, writeDraft } from "./drafts";
import { serverSeconds } from "./server-time";
import { me, scheduled } from "./state";

/** Scheduled messages. Messages that could not be sent come first. */
export const scheduledInOrder = computed(() => inOrderOfSending(scheduled.value));

/** Ids of messages that were taken back here, whose events may not have arrived. */
const takenBack = new Set<number>();

/** The scheduled message with the given time, text and conversation. */
function findEqual(
  rows: Iterable<ScheduledMessage>,
  recipient: Recipient,
  content: string,
  at: Date,
): ScheduledMessage | undefined {
  const key = recipientKey(recipient, me.peek());
  return [...rows].find(
    (row) =>
      row.content === content &&
      row.scheduled_delivery_timestamp === secondsOf(at) &&
      recipientKey(recipientOfScheduled(row), me.peek()) === key &&
      !takenBack.has(row.scheduled_message_id),
  );
}

/**
 * Schedules a message; returns the id of the scheduled message. If it is scheduled already, because
 * only the answer was lost before, it is not scheduled twice.
 */
export async function schedule(recipient: Recipient, content: string, at: Date): Promise<number> {
  const waiting = findEqual(scheduled.peek().values(), recipient, content, at);
  if (waiting) return waiting.scheduled_message_id;
  try {
    const { scheduled_message_id: id } = await post("/scheduled_messages", {
      ...wireRecipient(recipient),
      content,
      scheduled_delivery_timestamp: secondsOf(at),
    });
    return id;
  } catch (error) {
    if (!(error instanceof Refusal) || (error.status > 0 && error.status < 500)) throw error;
    // If the scheduled messages cannot be loaded either, the first refusal is shown.
    const stored = await storedNow().catch(() => []);
    const found = findEqual(stored, recipient, content, at);
    if (!found) throw error;
    return found.scheduled_message_id;
  }
}

const storedNow = async (): Promise<readonly ScheduledMessage[]> =>
  (await read("/scheduled_messages")).scheduled_messages;

/** Deletes a scheduled message. */
export async function unschedule(id: number): Promise<void> {
  await remove("/scheduled_messages/{scheduled_message_id}", { scheduled_message_id: id });
  takenBack.add(id);
}

interface Change {
  readonly content?: string;
  readonly at?: Date;
}

/** Changes a scheduled message. */
export const changeScheduled = (
  { scheduled_message_id }: ScheduledMessage,
  { content, at }: Change,
): Promise<unknown> =>
  patch("/scheduled_messages/{scheduled_message_id}", {
    scheduled_message_id,
    ...(content === undefined ? {} : { content }),
    ...(at === undefined ? {} : { scheduled_delivery_timestamp: secondsOf(at) }),
  });

/** The server only accepts times that are still in the future when the request arrives. */
const soonSeconds = 3;

/**
 * Sends a scheduled message now, by changing its time to the next moment, because only the server
 * sends a scheduled message exactly once, even if the connection fails.
 */
export const sendScheduledNow = (message: ScheduledMessage): Promise<unknown> =>
  changeScheduled(message, { at: new Date((serverSeconds() + soonSeconds) * 1_000) });

/** Schedules a deleted message again. */
export const restoreScheduled = (message: ScheduledMessage): Promise<number> =>
  schedule(
    recipientOfScheduled(message),
    message.content,
    new Date(message.scheduled_delivery_timestamp * 1_000),
  );

/** Adds a text to the draft of its conversation. */
export function keepAsDraft(recipient: Recipient, content: string): void {
  const key = draftKey(recipient, me.value);
  writeDraft(key, recipient, joined(draftOf(key)?.content ?? "", content));
}
