import { effect } from "@preact/signals";
import type { FlaggedMessage } from "../model/message";
import { belongs, factsOf, type Narrow } from "../model/narrow";
import { conversationNarrow, kindOf, placeNarrow } from "../model/narrow-kind";
import { readMessage } from "../net/api";
import { Refusal } from "../net/refusal";
import { boxText } from "../store/box";
import { feedOf, messageOf } from "../store/feeds";
import { fragmentOf, recipientName } from "../store/names";
import { notify } from "../store/notices";
import { fragment, place, replacePlace } from "../store/place";
import { isConnected, me, model } from "../store/state";
import { changeWords } from "../words/changes";

/**
 * Follows the message of a link that is not in the conversation of the link, because the link opens
 * that conversation anyway. If the message was moved, its present conversation opens instead,
 * unless the reader has begun to write; if it is gone, the reader is told.
 */
export function followLinkedMessages(): void {
  /**
   * The generation of the feed whose link was checked last. To open a link whose message is not
   * loaded begins a new one.
   */
  let checked: number | undefined;
  effect(() => {
    const { messageId, narrow } = place.value;
    const feed = feedOf(narrow);
    if (messageId === undefined || !feed?.isLoaded || !isConnected.value) return;
    // Back leads to where the reader was in the feed, and not to the message of the link.
    if (feed.openedAt !== messageId || feed.generation === checked) return;
    const { generation } = feed;
    checked = generation;
    const message = messageOf(messageId);
    if (message) {
      followMoved(message);
      return;
    }
    void askFor(messageId).then((isAnswered) => {
      // Without an answer the server is asked again after a change, such as a new connection.
      if (!isAnswered && checked === generation) checked = undefined;
    });
  });
}

/** Returns whether the server has answered. */
async function askFor(messageId: number): Promise<boolean> {
  const hash = fragment.peek();
  try {
    const { message } = await readMessage(messageId);
    // The reader has seen the place of the link by now, so they are told why another one opens.
    if (fragment.peek() === hash && followMoved(message)) notify(changeWords.movedHere);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isGone = error.code === "BAD_REQUEST";
    if (isGone && fragment.peek() === hash) notify(changeWords.goneOfLink);
    return isGone;
  }
}

/**
 * Opens a message where it is now, unless the open place contains it. Somebody who writes is only
 * told where it is, because otherwise their next letters would go into another conversation's box.
 * Returns whether another place was opened.
 */
function followMoved(message: FlaggedMessage): boolean {
  if (!isElsewhere(message, place.peek().narrow)) return false;
  const isWriting = boxText.peek() !== "" || document.querySelector(".compose :focus") !== null;
  if (isWriting) tellWhere(message);
  else replacePlace(fragmentOf(placeNarrow(message, me.peek())));
  return !isWriting;
}

function tellWhere(message: FlaggedMessage): void {
  const there = kindOf(conversationNarrow(message, me.peek()));
  if (there.kind === "topic" || there.kind === "direct")
    notify(changeWords.movedOfLink(recipientName(there)));
}

/** Whether a message is not in an open conversation or channel. Searches are left as they are. */
const isElsewhere = (message: FlaggedMessage, narrow: Narrow): boolean =>
  ["channel", "topic", "direct"].includes(kindOf(narrow).kind) &&
  belongs(message, narrow, factsOf(model.peek(), message)) === false;
