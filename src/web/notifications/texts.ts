import { wordsOf } from "../model/arrivals";
import { peopleOf } from "../model/conversations";
import type { FlaggedMessage } from "../model/message";
import { conversationNarrow } from "../model/narrow-kind";
import { channelName, directName, fragmentOf, senderOf, topicName } from "../store/names";
import { me, settings } from "../store/state";
import { notificationWords as words } from "../words/notifications";

const textLengthMax = 200;

/** The sender of a message, and the place to which they wrote. */
export function titleOf(message: FlaggedMessage): string {
  const { sender_id: senderId, stream_id: channelId, subject } = message;
  const name = senderOf(message).full_name;
  if (channelId !== undefined)
    return words.inTopic(name, channelName(channelId), topicName(subject));
  const others = peopleOf(message).filter((id) => id !== senderId && id !== me.peek());
  return others.length === 0 ? name : words.directWith(name, directName(others));
}

/** The text of a message. The text of a direct message is only shown if the person wants that. */
export function textOf(message: FlaggedMessage): string {
  if (message.stream_id === undefined && !settings.peek().pm_content_in_desktop_notifications)
    return words.hiddenText;
  const characters = [...wordsOf(message)];
  return characters.length <= textLengthMax
    ? characters.join("")
    : `${characters.slice(0, textLengthMax).join("")}…`;
}

/** The sender's avatar if it is on this server. Other servers are not asked. */
export function iconFor(message: FlaggedMessage): { readonly icon?: string } {
  const { avatar_url: address } = senderOf(message);
  const url = address === null ? null : URL.parse(address, location.href);
  return url?.origin === location.origin ? { icon: url.href } : {};
}

/** The fragment that opens a message's conversation at the message. */
export const fragmentTo = (message: FlaggedMessage): string =>
  fragmentOf([
    ...conversationNarrow(message, me.peek()),
    { operator: "near", operand: message.id, negated: false },
  ]);
