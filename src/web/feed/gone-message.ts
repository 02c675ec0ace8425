import { effect } from "@preact/signals";
import { read } from "../net/api";
import { Refusal } from "../net/refusal";
import { feedOf, messageOf } from "../store/feeds";
import { notify } from "../store/notices";
import { fragment, place } from "../store/place";
import { isConnected } from "../store/state";
import { changeWords } from "../words/changes";

/**
 * Tells the reader of a link when its message is gone, because the link still opens the
 * conversation.
 */
export function followGoneMessages(): void {
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
    if (messageOf(messageId)) return;
    void tellIfGone(messageId).then((isAnswered) => {
      // Without an answer the server is asked again after a change, such as a new connection.
      if (!isAnswered && checked === generation) checked = undefined;
    });
  });
}

/** Returns whether the server has answered. */
async function tellIfGone(messageId: number): Promise<boolean> {
  const hash = fragment.peek();
  try {
    await read("/messages/{message_id}", { message_id: messageId });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isGone = error.code === "BAD_REQUEST";
    if (isGone && fragment.peek() === hash) notify(changeWords.goneOfLink);
    return isGone;
  }
}
