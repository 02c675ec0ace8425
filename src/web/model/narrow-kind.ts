import { directKey, peopleOf, topicKey } from "./conversations";
import { type Narrow, narrowParameter, type Term } from "./narrow";
import type { Message } from "./wire";

/** Kinds of narrows that have a view of their own. `search` is every other narrow. */
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

/** The direct conversation of the reader with these people. */
export const directNarrow = (userIds: readonly number[]): Narrow => [
  { operator: "dm", operand: userIds, negated: false },
];

const stateNarrow = (state: string): Narrow => [{ operator: "is", operand: state, negated: false }];

/** Messages that mention the person. */
export const mentionsNarrow = stateNarrow("mentioned");

/** Messages that the person has starred. */
export const starredNarrow = stateNarrow("starred");

/** Messages of the person (`me` is their id) to which somebody has reacted. */
export const reactionsNarrow = (me: number): Narrow => [
  { operator: "has", operand: "reaction", negated: false },
  { operator: "sender", operand: me, negated: false },
];

/** Messages that contain one of the person's alert words. */
export const alertsNarrow = stateNarrow("alerted");

/** Messages with files. */
export const filesNarrow: Narrow = [{ operator: "has", operand: "attachment", negated: false }];

/** Whether two narrows have equal terms. */
export const isNarrow = (one: Narrow, other: Narrow): boolean =>
  JSON.stringify(narrowParameter(one)) === JSON.stringify(narrowParameter(other));

/** Narrows whose views have a name. */
type NamedNarrow = "mentions" | "starred" | "reactions" | "alerts" | "files";

/** The name of a narrow; undefined if it has none. `me` is the reader's id. */
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

/** The key of a narrow in a map. A conversation has one key, whatever the case of its topic. */
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

/** The narrow of the conversation of a message; `me` is the reader's id. */
export function conversationNarrow(
  message: Pick<Message, "stream_id" | "subject" | "display_recipient">,
  me: number,
): Narrow {
  const { stream_id: channelId, subject } = message;
  if (channelId !== undefined) return topicNarrow(channelId, subject);
  const others = [...new Set(peopleOf(message))].filter((id) => id !== me).sort((a, b) => a - b);
  return directNarrow(others.length === 0 ? [me] : others);
}

/** The narrow of a message's conversation that opens it at that message. */
export const placeNarrow = (
  message: Pick<Message, "id" | "stream_id" | "subject" | "display_recipient">,
  me: number,
): Narrow => [
  ...conversationNarrow(message, me),
  { operator: "near", operand: message.id, negated: false },
];

/** Whether a narrow can contain messages of several conversations. */
export function isMixed(narrow: Narrow): boolean {
  const { kind } = kindOf(narrow);
  return kind !== "topic" && kind !== "direct";
}

/** States of messages that those of a conversation share. */
const statesOfConversations = ["dm", "resolved"];

/**
 * Whether each conversation of a narrow is in it as a whole. Otherwise it can show a message
 * without those around it, as a search does.
 */
export function hasWholeConversations(narrow: Narrow): boolean {
  if (kindOf(narrow).kind !== "search") return true;
  const [only, second] = narrow;
  if (only === undefined || second !== undefined || only.negated) return false;
  return (
    only.operator === "in" ||
    (only.operator === "is" && statesOfConversations.includes(only.operand))
  );
}

/**
 * The narrow that decides whether a message that is already shown stays. A message that was unread
 * when it arrived stays, although the reader has read it meanwhile.
 */
export const stayingNarrow = (narrow: Narrow): Narrow =>
  narrow.filter(({ operator, operand }) => operator !== "is" || operand !== "unread");
