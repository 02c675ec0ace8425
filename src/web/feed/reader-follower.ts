import type { RefObject } from "preact";
import type { Feed } from "../store/feeds";
import { useActiveMessage } from "./message-toolbar";
import { useReadOnSight } from "./read-on-sight";

interface Followed {
  scroller: RefObject<HTMLElement | null>;
  feed: Feed;
}

/**
 * Follows which message of a feed the reader points at, and which messages they have read. It draws
 * nothing.
 */
export function ReaderFollower({ scroller, feed }: Followed): null {
  useActiveMessage(scroller);
  useReadOnSight(scroller, feed);
  return null;
}
