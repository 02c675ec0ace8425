import { peopleOf } from "../model/conversations";
import type { FlaggedMessage } from "../model/message";
import { quotationOf } from "../model/quotation";
import type { Recipient, Target } from "../model/recipient";
import { awaitedByKeys } from "../store/awaited";
import { openBox } from "../store/box";
import { sourceOf } from "../store/editing";
import { linkToMessage } from "../store/links";
import { senderOf } from "../store/names";
import { attempt } from "../store/notices";
import { me } from "../store/state";
import { words } from "../words/words";

/** The conversation of a message, as the recipient of a reply. */
function recipientOf(message: FlaggedMessage): Recipient {
  const { stream_id: channelId, subject: topic } = message;
  if (channelId !== undefined) return { kind: "topic", channelId, topic };
  const others = peopleOf(message).filter((id) => id !== me.value);
  return { kind: "direct", userIds: others.length === 0 ? [me.value] : others };
}

/** Opens the box for the conversation of a message. */
export const openReply = (message: FlaggedMessage): void =>
  openBox({ recipient: recipientOf(message) });

/** Opens the box for a direct message to only the sender of a message. */
export const openReplyToSender = ({ sender_id: id }: FlaggedMessage): void =>
  openBox({ recipient: { kind: "direct", userIds: [id] } });

/** Opens the box of a message's conversation with a quotation of the message. */
export const openQuotation = (message: FlaggedMessage): Promise<unknown> =>
  openWithQuotation(message, recipientOf(message));

/** Opens the box with a quotation of a message, for a conversation that is still to be chosen. */
export const openForward = (message: FlaggedMessage): Promise<unknown> =>
  openWithQuotation(message, { kind: "topic", channelId: undefined, topic: "" });

const openWithQuotation = (message: FlaggedMessage, recipient: Target): Promise<unknown> =>
  attempt(async () => {
    const text = await awaitedByKeys(sourceOf(message.id));
    if (text === undefined) return;
    const { user_id: senderId, full_name: senderName } = senderOf(message);
    const quotation = quotationOf({
      senderName,
      senderId,
      link: linkToMessage(message),
      text,
      said: words.actions.said,
    });
    openBox({ recipient, text: quotation });
  });
