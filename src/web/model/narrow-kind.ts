import { directKey, peopleOf, topicKey } from "./conversations";
import { type Narrow, narrowParameter, type Term } from "./narrow";
import type { Message } from "./wire";

/** Kinds of narrows that are drawn each in its own way; `search` is any other. */
export type NarrowKind =
  | { readonly kind: "all" }
  | { readonly kind: "channel"; readonly channelId: number }
  | { readonly kind: "topic"; readonly channelId: number; readonly topic: string }
  | { readonly kind: "direct"; readonly userIds: readonly number[] }
  | { readonly kind: "search" };

/** All messages. */
export const everything: Narrow = [];

export const channelNarrow = (channelId: number): Narrow => [
  { operator: "channel", operand: channelId, negated: false },
];

export const topicNarrow = (channelId: number, topic: string): Narrow => [
  ...channelNarrow(channelId),
  { operator: "topic", operand: topic, negated: false },
];

/** The direct conversation of these people and the reader. */
export const directNarrow = (userIds: readonly number[]): Narrow => [
  { operator: "dm", operand: userIds, negated: false },
];

const stateNarrow = (state: string): Narrow => [{ operator: "is", operand: state, negated: false }];

/** Messages that mention the person. */
export const mentionsNarrow = stateNarrow("mentioned");

/** Messages that the person has starred. */
export const starredNarrow = stateNarrow("starred");

/** Messages of the person, by their id, that somebody has reacted to. */
export const reactionsNarrow = (me: number): Narrow => [
  { operator: "has", operand: "reaction", negated: false },
  { operator: "sender", operand: me, negated: false },
];

/** Messages with one of the words that alert the person. */
export const alertsNarrow = stateNarrow("alerted");

/** Messages with files. */
export const filesNarrow: Narrow = [{ operator: "has", operand: "attachment", negated: false }];

/** Whether the terms of two narrows are alike. */
export const isNarrow = (one: Narrow, other: Narrow): boolean =>
  JSON.stringify(narrowParameter(one)) === JSON.stringify(narrowParameter(other));

/** Narrows that have a name of their own as views. */
export type NamedNarrow = "mentions" | "starred" | "reactions" | "alerts" | "files";

/** The name of a narrow that has one; undefined for others. `me` is the id of who reads. */
export function namedNarrow(narrow: Narrow, me: number): NamedNarrow | undefined {
  if (isNarrow(narrow, mentionsNarrow)) return "mentions";
  if (isNarrow(narrow, starredNarrow)) return "starred";
  if (isNarrow(narrow, reactionsNarrow(me))) return "reactions";
  if (isNarrow(narrow, alertsNarrow)) return "alerts";
  return isNarrow(narrow, filesNarrow) ? "files" : undefined;
}

/** The kind of a narrow. */
export function kindOf(narrow: Narrow): NarrowKind {
  const [first, second] = narrow;
  if (first === undefined) return { kind: "all" };
  if (narrow.length > 2 || narrow.some(({ negated }) => negated)) return { kind: "search" };
  if (second !== undefined) return kindOfPair(first, second) ?? { kind: "search" };
  if (first.operator === "channel") return { kind: "channel", channelId: first.operand };
  if (first.operator === "dm") return { kind: "direct", userIds: first.operand };
  return { kind: "search" };
}

function kindOfPair(one: Term, other: Term): NarrowKind | undefined {
  const [channel, topic] = one.operator === "channel" ? [one, other] : [other, one];
  return channel.operator === "channel" && topic.operator === "topic"
    ? { kind: "topic", channelId: channel.operand, topic: topic.operand }
    : undefined;
}

/** A narrow as the key of a map: one key for a conversation, however its topic is spelled. */
export function narrowKey(narrow: Narrow, me: number): string {
  const kind = kindOf(narrow);
  switch (kind.kind) {
    case "all":
      return "all";
    case "channel":
      return `channel ${kind.channelId}`;
    case "topic":
      return `topic ${topicKey(kind.channelId, kind.topic)}`;
    case "direct":
      return `direct ${directKey(kind.userIds, me)}`;
    case "search":
      return `search ${JSON.stringify(narrowParameter(narrow))}`;
  }
}

/** The narrow of the conversation that a message is in; `me` is the id of who reads. */
export function conversationNarrow(
  message: Pick<Message, "stream_id" | "subject" | "display_recipient">,
  me: number,
): Narrow {
  const { stream_id: channelId, subject } = message;
  if (channelId !== undefined) return topicNarrow(channelId, subject);
  const others = [...new Set(peopleOf(message))].filter((id) => id !== me).sort((a, b) => a - b);
  return directNarrow(others.length === 0 ? [me] : others);
}

/** The place of a message in its conversation. */
export const placeNarrow = (
  message: Pick<Message, "id" | "stream_id" | "subject" | "display_recipient">,
  me: number,
): Narrow => [
  ...conversationNarrow(message, me),
  { operator: "near", operand: message.id, negated: false },
];

/** Whether a narrow may show messages of more than one conversation. */
export function isMixed(narrow: Narrow): boolean {
  const { kind } = kindOf(narrow);
  return kind !== "topic" && kind !== "direct";
}

/**
 * The narrow by which a message stays that is shown already: one that was unread when it came does
 * not go away under the eyes of its reader.
 */
export const stayingNarrow = (narrow: Narrow): Narrow =>
  narrow.filter(({ operator, operand }) => operator !== "is" || operand !== "unread");
