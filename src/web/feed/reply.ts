import { peopleOf } from "../model/conversations";
import type { FlaggedMessage } from "../model/message";
import { quotationOf } from "../model/quotation";
import type { Recipient } from "../model/recipient";
import { openBox } from "../store/box";
import { sourceOf } from "../store/editing";
import { linkToMessage } from "../store/links";
import { senderOf } from "../store/names";
import { attempt } from "../store/notices";
import { me } from "../store/state";
import { words } from "../words/words";

/** The conversation of a message, as the recipient of an answer. */
function recipientOf(message: FlaggedMessage): Recipient {
  const { stream_id: channelId, subject: topic } = message;
  if (channelId !== undefined) return { kind: "topic", channelId, topic };
  const others = peopleOf(message).filter((id) => id !== me.value);
  return { kind: "direct", userIds: others.length === 0 ? [me.value] : others };
}

/** Opens the box for the conversation of a message. */
export const openReply = (message: FlaggedMessage): void =>
  openBox({ recipient: recipientOf(message) });

/** Opens the box for a direct message to the sender of a message alone. */
export const openReplyToSender = ({ sender_id: id }: FlaggedMessage): void =>
  openBox({ recipient: { kind: "direct", userIds: [id] } });

/** Opens the box with a quotation of a message. */
export async function openQuotation(message: FlaggedMessage): Promise<void> {
  await attempt(async () => {
    const { user_id: senderId, full_name: senderName } = senderOf(message);
    const quotation = quotationOf({
      senderName,
      senderId,
      link: linkToMessage(message),
      text: await sourceOf(message.id),
      said: words.actions.said,
    });
    openBox({ recipient: recipientOf(message), text: quotation });
  });
}
