import { directKey, topicKey } from "./conversations";
import type { Event } from "./wire";

/** The conversation to which a message is sent. */
export type Recipient =
  | { readonly kind: "topic"; readonly channelId: number; readonly topic: string }
  | { readonly kind: "direct"; readonly userIds: readonly number[] };

/** A recipient that may be incomplete, because somebody is still choosing it. */
export type Target =
  | { readonly kind: "topic"; readonly channelId: number | undefined; readonly topic: string }
  | { readonly kind: "direct"; readonly userIds: readonly number[] };

/** The key of a recipient's conversation. */
export const recipientKey = (recipient: Recipient, me: number): string =>
  recipient.kind === "topic"
    ? topicKey(recipient.channelId, recipient.topic)
    : directKey(recipient.userIds, me);

/** The recipient of a target; undefined while a channel or a person is missing. */
export function recipientOf(target: Target): Recipient | undefined {
  if (target.kind === "direct") return target.userIds.length === 0 ? undefined : target;
  const { channelId, topic } = target;
  return channelId === undefined ? undefined : { kind: "topic", channelId, topic: topic.trim() };
}

/** The parameters of `POST /messages` that name a recipient. */
export const wireRecipient = (
  recipient: Recipient,
): Readonly<Record<string, string | number | readonly number[]>> =>
  recipient.kind === "topic"
    ? { type: "stream", to: recipient.channelId, topic: recipient.topic }
    : { type: "direct", to: recipient.userIds };

/**
 * The recipient after messages were moved. It changes to the new place if the whole topic was
 * moved, as far as the event tells.
 */
export function movedRecipient<Given extends Target>(target: Given, event: Event): Given | Target {
  if (event.type !== "update_message" || target.kind !== "topic") return target;
  const { orig_subject, subject = orig_subject, stream_id, new_stream_id, propagate_mode } = event;
  if (orig_subject === undefined || subject === undefined || stream_id === undefined) return target;
  if (propagate_mode !== "change_all" || target.channelId !== stream_id) return target;
  const isIt = topicKey(stream_id, target.topic) === topicKey(stream_id, orig_subject);
  return isIt ? { kind: "topic", channelId: new_stream_id ?? stream_id, topic: subject } : target;
}
