import type { FlaggedMessage } from "../model/message";
import type { Narrow } from "../model/narrow";
import { channelNarrow, conversationNarrow, topicNarrow } from "../model/narrow-kind";
import { feedOf } from "./feeds";
import { fragmentOf } from "./names";
import { me } from "./state";

/** The address of a message in its conversation. */
export function linkToMessage(message: FlaggedMessage): string {
  const conversation = conversationNarrow(message, me.value);
  return linkTo([...conversation, { operator: "near", operand: message.id, negated: false }]);
}

export const linkToChannel = (channelId: number): string => linkTo(channelNarrow(channelId));

/**
 * The address of a topic. It names one of the topic's messages if the page knows any, so that it
 * also leads there after the topic was renamed or moved.
 */
export function linkToTopic(channelId: number, topic: string): string {
  const narrow = topicNarrow(channelId, topic);
  const newest = feedOf(narrow)?.messages.at(-1);
  if (newest === undefined) return linkTo(narrow);
  return linkTo([...narrow, { operator: "with", operand: newest.id, negated: false }]);
}

const linkTo = (narrow: Narrow): string => new URL(fragmentOf(narrow), location.href).href;
