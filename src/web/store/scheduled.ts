import { computed } from "@preact/signals";
import { draftKey, joined } from "../model/local-drafts";
import { type Recipient, wireRecipient } from "../model/recipient";
import { inOrderOfSending, recipientOfScheduled } from "../model/scheduled";
import { secondsOf } from "../model/send-times";
import type { ScheduledMessage } from "../model/wire";
import { patch, post, remove } from "../net/api";
import { draftOf, writeDraft } from "./drafts";
import { serverSeconds } from "./server-time";
import { me, scheduled } from "./state";

/** Messages that are sent later: what was not sent at its time first. */
export const scheduledInOrder = computed(() => inOrderOfSending(scheduled.value));

/** Has the server send a message at a moment; answers the id that it waits under. */
export async function schedule(recipient: Recipient, content: string, at: Date): Promise<number> {
  const { scheduled_message_id: id } = await post("/scheduled_messages", {
    ...wireRecipient(recipient),
    content,
    scheduled_delivery_timestamp: secondsOf(at),
    read_by_sender: true,
  });
  return id;
}

/** Takes a message back that waits to be sent. */
export const unschedule = (id: number): Promise<unknown> =>
  remove("/scheduled_messages/{scheduled_message_id}", { scheduled_message_id: id });

interface Change {
  readonly content?: string;
  readonly at?: Date;
}

/** Changes a message that waits to be sent. */
export const changeScheduled = (
  { scheduled_message_id }: ScheduledMessage,
  { content, at }: Change,
): Promise<unknown> =>
  patch("/scheduled_messages/{scheduled_message_id}", {
    scheduled_message_id,
    ...(content === undefined ? {} : { content }),
    ...(at === undefined ? {} : { scheduled_delivery_timestamp: secondsOf(at) }),
  });

/** The server takes only moments that are still to come when it hears of them. */
const soonSeconds = 3;

/**
 * Has a message sent that waits. Its time becomes the next moment, because the server alone sends a
 * scheduled message exactly once, whatever becomes of the connection.
 */
export const sendScheduledNow = (message: ScheduledMessage): Promise<unknown> =>
  changeScheduled(message, { at: new Date((serverSeconds() + soonSeconds) * 1_000) });

/** Schedules a message again that was deleted. */
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
