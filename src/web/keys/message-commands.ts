import { topicsPolicy } from "../compose/send";
import { sendLater } from "../compose/tools";
import { openSenderCard } from "../feed/card-at";
import {
  editMessage,
  forwardMessage,
  markUnreadFromHere,
  moveMessage,
  openMessageMenu,
  openReactionPicker,
  quoteMessage,
  reactLikeFirst,
  reactThumbsUp,
  remindOf,
  replyTo,
  replyToSender,
  reportMessage,
  showHistory,
  showReaders,
  viewPicture,
} from "../feed/message-actions";
import { newKey } from "../model/local-drafts";
import type { Narrow } from "../model/narrow";
import { channelNarrow, everything, kindOf } from "../model/narrow-kind";
import type { Target } from "../model/recipient";
import { focusRecipient, focusText, openBox, openBoxIn } from "../store/box";
import { toggleCollapsed } from "../store/collapsing";
import { messageOf } from "../store/feeds";
import { isHiddenMessage, revealMessage } from "../store/muted-messages";
import { userName } from "../store/names";
import { place, shownKind, type View } from "../store/place";
import { toggleStar } from "../store/stars";
import { toggleFollow, toggleResolved, toggleTopicMute } from "../store/topic-choices";
import { selectedMessage } from "./selection";

/** Calls a function with the message on which keys act. */
const onAnyMessage = (run: (messageId: number) => void) => (): void => {
  const id = selectedMessage();
  if (id !== undefined) run(id);
};

/**
 * Calls a function with the message on which keys act. One of a muted person is only shown, because
 * nobody can mean what they do not see.
 */
const onMessage = (run: (messageId: number) => void) =>
  onAnyMessage((id) => {
    const message = messageOf(id);
    if (message && isHiddenMessage(message)) revealMessage(id);
    else run(id);
  });

/** Calls a function with the open topic. */
const onTopic = (run: (channelId: number, topic: string) => Promise<void>) => (): void => {
  const kind = shownKind();
  if (kind?.kind === "topic") void run(kind.channelId, kind.topic);
};

/** Replies to a message with a mention of its sender. */
function replyWithMention(messageId: number): void {
  const message = messageOf(messageId);
  if (!message) return;
  const { stream_id: channelId, subject: topic, sender_id: senderId } = message;
  if (channelId === undefined) replyTo(messageId);
  else
    openBox({
      recipient: { kind: "topic", channelId, topic },
      text: `@**${userName(senderId)}|${senderId}** `,
    });
}

/** Starts a topic in the open channel, or in a channel to be chosen. */
function startTopic(): void {
  const kind = kindOf(place.value.narrow);
  const channelId = "channelId" in kind ? kind.channelId : undefined;
  const recipient: Target = { kind: "topic", channelId, topic: "" };
  // In a channel without topics nothing is missing.
  const isWhole = channelId !== undefined && topicsPolicy(channelId) === "empty_topic_only";
  const focus = isWhole ? focusText : focusRecipient;
  if (shownKind() !== undefined) openBox({ recipient, focus });
  else openNew(recipient, channelId === undefined ? everything : channelNarrow(channelId), focus);
}

const openNew = (target: Target, narrow: Narrow, focus: () => void): void =>
  openBoxIn(narrow, { target, key: newKey(target) }, focus);

/** Starts a direct conversation. */
export function startDirect(): void {
  const recipient: Target = { kind: "direct", userIds: [] };
  if (shownKind() !== undefined) openBox({ recipient, focus: focusRecipient });
  else openNew(recipient, everything, focusRecipient);
}

const views: readonly View[] = ["messages"];

/** Commands for the message on which keys act, and for the open topic. */
export const messageCommands = [
  { id: "reply", keys: ["r", "Enter"], views, run: onAnyMessage(replyTo) },
  { id: "replyToSender", keys: ["Shift R"], views, run: onMessage(replyToSender) },
  { id: "replyWithMention", keys: ["@"], views, run: onMessage(replyWithMention) },
  { id: "quote", keys: [">"], views, run: onMessage(quoteMessage) },
  { id: "picture", keys: ["v"], views, run: onMessage(viewPicture) },
  { id: "forward", keys: ["<"], views, run: onMessage(forwardMessage) },
  { id: "report", keys: [], views, run: onMessage(reportMessage) },
  { id: "newTopic", keys: ["c"], views: undefined, run: startTopic },
  { id: "newDirect", keys: ["x"], views: undefined, run: startDirect },
  { id: "edit", keys: ["e"], views, run: onMessage(editMessage) },
  { id: "move", keys: ["m"], views, run: onMessage(moveMessage) },
  { id: "react", keys: [":"], views, run: onMessage(openReactionPicker) },
  { id: "thumbsUp", keys: ["+"], views, run: onMessage(reactThumbsUp) },
  { id: "joinReaction", keys: ["="], views, run: onMessage(reactLikeFirst) },
  { id: "collapse", keys: ["-"], views, run: onMessage(toggleCollapsed) },
  { id: "star", keys: ["Ctrl S"], views, run: onMessage(toggleStar) },
  { id: "remind", keys: [], views, run: onMessage(remindOf) },
  { id: "sendLater", keys: [], views, run: () => sendLater() },
  { id: "unreadFromHere", keys: ["Shift U"], views, run: onMessage(markUnreadFromHere) },
  { id: "readers", keys: ["Shift V"], views, run: onMessage(showReaders) },
  { id: "history", keys: ["Shift H"], views, run: onMessage(showHistory) },
  { id: "menu", keys: ["i"], views, run: onMessage(openMessageMenu) },
  { id: "senderCard", keys: ["u"], views, run: onAnyMessage((id) => openSenderCard(id)) },
  { id: "muteTopic", keys: ["Shift M"], views, run: onTopic(toggleTopicMute) },
  { id: "followTopic", keys: [], views, run: onTopic(toggleFollow) },
  { id: "resolveTopic", keys: [], views, run: onTopic(toggleResolved) },
] as const;
