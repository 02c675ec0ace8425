import { type Recipient, recipientOf, type Target } from "../model/recipient";
import { dropDraft } from "../store/drafts";
import { sendMessage } from "../store/outbox";
import { channels, organization, server } from "../store/state";
import { words } from "../words/words";
import { boxKey, boxTarget, boxText, closeChoice, isFixed } from "./box";

const lengthOf = (text: string): number => [...text].length;

/** Reason why a text cannot be sent to a target as it is; undefined where it can. */
export function obstacleOf(target: Target, text: string): string | undefined {
  if (text.trim() === "") return words.compose.nothingToSend;
  const over = lengthOf(text.trim()) - server.value.max_message_length;
  if (over > 0) return words.compose.tooLong(over);
  const recipient = recipientOf(target);
  if (!recipient)
    return target.kind === "topic" ? words.compose.chooseChannel : words.compose.choosePeople;
  return recipient.kind === "topic" ? topicObstacle(recipient) : undefined;
}

function topicObstacle({ channelId, topic }: Extract<Recipient, { kind: "topic" }>) {
  const over = lengthOf(topic) - server.value.max_topic_length;
  if (over > 0) return words.compose.topicTooLong(over);
  if (topic === "" && isTopicNeeded(channelId)) return words.compose.chooseTopic;
  return undefined;
}

/** Whether a message in a channel has to have a topic. */
export function isTopicNeeded(channelId: number): boolean {
  const own = channels.value.get(channelId)?.topics_policy ?? "inherit";
  const policy = own === "inherit" ? organization.value.topics_policy : own;
  return policy === "disable_empty_topic";
}

/** Sends the text in the box; answers why not, where it cannot. */
export function sendBox(): string | undefined {
  const [target, text] = [boxTarget.value, boxText.value];
  const obstacle = obstacleOf(target, text);
  const recipient = recipientOf(target);
  if (obstacle !== undefined || !recipient) return obstacle;
  sendMessage(recipient, text.trim());
  dropDraft(boxKey.value);
  if (!isFixed.value) closeChoice();
  return undefined;
}
