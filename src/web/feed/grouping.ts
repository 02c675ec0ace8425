import { conversationKey } from "../model/conversations";
import type { Message } from "../model/wire";

/** The parts of a row that depend on the row before it. */
export interface Grouping {
  /** Whether another day begins. */
  readonly beginsDay: boolean;
  /** Whether another conversation begins. */
  readonly beginsConversation: boolean;
  /** Whether it has the sender of the row before, so that only the content is shown. */
  readonly isContinued: boolean;
}

const continuedSeconds = 600;

/** The grouping of a message below the one before it; `me` is the reader's id. */
export function groupingOf(before: Message | undefined, message: Message, me: number): Grouping {
  const beginsDay = !before || dayOf(before) !== dayOf(message);
  const beginsConversation =
    !before || conversationKey(before, me) !== conversationKey(message, me);
  const isContinued =
    before !== undefined &&
    !beginsDay &&
    !beginsConversation &&
    before.sender_id === message.sender_id &&
    !message.is_me_message &&
    !before.is_me_message &&
    message.timestamp - before.timestamp < continuedSeconds;
  return { beginsDay, beginsConversation, isContinued };
}

const dayOf = ({ timestamp }: Message): string => new Date(timestamp * 1_000).toDateString();
