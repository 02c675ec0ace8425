import { feedOf, restart } from "./feeds";
import { focusMessage } from "./focused";
import { place } from "./place";

/**
 * Goes to the first or the last message of the open view. If it is not loaded, the feed is loaded
 * again from there.
 */
export function goToFeedEnd(end: "oldest" | "newest"): void {
  const feed = feedOf(place.value.narrow);
  if (!feed?.isLoaded) return;
  const isThere = end === "oldest" ? feed.isOldest : feed.isNewest;
  const message = end === "oldest" ? feed.messages[0] : feed.messages.at(-1);
  if (!isThere) restart(feed, end);
  else if (message) focusMessage(message.id);
}
