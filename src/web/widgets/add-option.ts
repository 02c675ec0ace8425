import type { FlaggedMessage } from "../model/message";
import { addOption, type Poll } from "../model/poll";
import { widgetOf } from "../model/widget";
import { indexOf, membersIn } from "../model/widget-data";
import type { Event } from "../model/wire";
import { onEvents } from "../store/event-followers";
import { messageOf } from "../store/feeds";
import { me } from "../store/state";
import { addUnder, firstIndex } from "./act";

interface Added {
  readonly text: string;
  /** Whether its event has come. */
  readonly isTold: boolean;
}

/** Options that this page has added, by their messages and indexes. */
const added = new Map<string, Added>();

const nameOf = (messageId: number, index: number): string => `${messageId} ${index}`;

/** Adds an option to a poll; undefined where the poll has it already. */
export function addToPoll(
  message: FlaggedMessage,
  poll: Poll,
  text: string,
): Promise<boolean> | undefined {
  const action = addOption(poll, text, me.peek(), firstIndex(message));
  if (!action) return undefined;
  added.set(nameOf(message.id, action.idx), { text: action.option, isTold: false });
  return addUnder(action.idx, message, action);
}

/**
 * Adds options of this page anew, under other indexes, where another device of the person, which
 * had not heard of them, has put its own in their place.
 */
function restoreReplaced(events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== "submessage" || event.sender_id !== me.peek()) continue;
    const { type, idx, option } = membersIn(event.content);
    const index = indexOf(idx);
    if (type !== "new_option" || index === undefined) continue;
    const name = nameOf(event.message_id, index);
    const own = added.get(name);
    if (own === undefined) continue;
    if (own.text === option) added.set(name, { text: own.text, isTold: true });
    else if (own.isTold) restore(event.message_id, own.text);
  }
}

function restore(messageId: number, text: string): void {
  const message = messageOf(messageId);
  if (!message) return;
  const poll = widgetOf(message);
  if (poll?.kind === "poll") void addToPoll(message, poll, text);
}

onEvents(restoreReplaced);
