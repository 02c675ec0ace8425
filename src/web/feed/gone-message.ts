import { effect } from "@preact/signals";
import { read } from "../net/api";
import { Refusal } from "../net/refusal";
import { feedOf, messageOf } from "../store/feeds";
import { notify } from "../store/notices";
import { place } from "../store/place";
import { changeWords } from "../words/changes";

/**
 * Tells the reader of a link when its message is gone, because the link still opens the
 * conversation.
 */
export function followGoneMessages(): void {
  let opened: unknown;
  effect(() => {
    const open = place.value;
    const { messageId, narrow } = open;
    const feed = feedOf(narrow);
    if (messageId === undefined || open === opened || !feed?.isLoaded) return;
    // A place that is opened again after another one begins where it was left.
    if (feed.openedAt !== messageId) return;
    opened = open;
    if (!messageOf(messageId)) void tellIfGone(messageId, open);
  });
}

async function tellIfGone(messageId: number, open: unknown): Promise<void> {
  try {
    await read("/messages/{message_id}", { message_id: messageId });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isGone = error.code === "BAD_REQUEST";
    if (isGone && place.peek() === open) notify(changeWords.goneOfLink);
  }
}
