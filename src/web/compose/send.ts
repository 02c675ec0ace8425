import { messageText } from "../model/outgoing";
import { type Recipient, recipientOf, type Target } from "../model/recipient";
import { boxKey, boxTarget, boxText, endChoice, goesTo, isFixed, narrowOf } from "../store/box";
import { dropDraft } from "../store/drafts";
import { feedOf, restart } from "../store/feeds";
import { lengthOf, tooLong } from "../store/message-length";
import { fragmentOf, recipientName } from "../store/names";
import { notifyWithLink } from "../store/notices";
import { sendMessage } from "../store/outbox";
import { place } from "../store/place";
import { channels, organization, server } from "../store/state";
import { cancelUploadsOf, waitsForFiles } from "../store/uploads";
import { composeWords } from "../words/compose";
import { messageBox, obstacle } from "./message-box";
import { endTyping } from "./typing";

/** Why the text in the box cannot be sent to its target; undefined if it can. */
function obstacleOf(target: Target, text: string): string | undefined {
  if (text.trim() === "") return composeWords.nothingToSend;
  const wait = waitsForFiles(text, boxKey.peek());
  if (wait !== undefined) return wait;
  const recipient = recipientOf(target);
  if (!recipient)
    return target.kind === "topic" ? composeWords.chooseChannelFirst : composeWords.choosePeople;
  return tooLong(text) ?? (recipient.kind === "topic" ? topicObstacle(recipient) : undefined);
}

function topicObstacle({ channelId, topic }: Extract<Recipient, { kind: "topic" }>) {
  const over = lengthOf(topic) - server.value.max_topic_length;
  if (over > 0) return composeWords.topicTooLong(over);
  const policy = topicsPolicy(channelId);
  if (topic === "" && policy === "disable_empty_topic") return composeWords.chooseTopic;
  if (topic !== "" && policy === "empty_topic_only") return composeWords.emptyTopicOnly;
  return undefined;
}

/** The policy of a channel for messages without a topic. */
export function topicsPolicy(channelId: number): string {
  const own = channels.value.get(channelId)?.topics_policy ?? "inherit";
  return own === "inherit" ? organization.value.topics_policy : own;
}

/**
 * Shows a sent message: scrolls to the end of its view, or shows a notice with a link to it if it
 * was sent elsewhere.
 */
function showSent(recipient: Recipient): void {
  const { narrow } = place.peek();
  if (!goesTo(narrow, recipient)) {
    const text = composeWords.sentTo(recipientName(recipient));
    notifyWithLink(text, composeWords.show, fragmentOf(narrowOf(recipient)));
    return;
  }
  const feed = feedOf(narrow);
  if (feed?.isNewest === false) restart(feed, "newest");
  requestAnimationFrame(() => {
    const messages = document.querySelector(".feed");
    messages?.scrollTo({ top: messages.scrollHeight });
  });
}

/** The text in the box as a message. */
export interface MessageInBox {
  readonly recipient: Recipient;
  readonly content: string;
  /** The draft that the box edits. */
  readonly key: string;
}

/**
 * The text in the box, ready to be sent. If it cannot be sent, the writer is told why, and
 * undefined is returned.
 */
export function messageInBox(): MessageInBox | undefined {
  const [target, text] = [boxTarget.peek(), boxText.peek()];
  obstacle.value = obstacleOf(target, text);
  const recipient = recipientOf(target);
  if (obstacle.peek() !== undefined || !recipient) return undefined;
  return { recipient, content: messageText(text), key: boxKey.peek() };
}

/**
 * Sends a text to the recipient of the box, while the text in the box stays. Returns the reason if
 * it cannot be sent.
 */
export function sendBeside(text: string): string | undefined {
  const target = boxTarget.peek();
  const reason = obstacleOf(target, text);
  const recipient = recipientOf(target);
  if (reason !== undefined || !recipient) return reason;
  sendMessage(recipient, text);
  showSent(recipient);
  return undefined;
}

/** Empties the box of a message that is being sent. */
export function emptyBox({ key, recipient }: MessageInBox): void {
  const isThere = key === boxKey.peek();
  dropDraft(key);
  cancelUploadsOf(key);
  if (!isThere) return;
  endTyping();
  messageBox.preview.end();
  if (!isFixed.peek()) endChoice(recipient);
}

/** Sends the text in the box, or tells why it cannot be sent. */
export function send(): void {
  const message = messageInBox();
  if (!message) return;
  sendMessage(message.recipient, message.content);
  emptyBox(message);
  showSent(message.recipient);
}
