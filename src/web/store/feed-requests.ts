import type { FlaggedMessage } from "../model/message";
import { type Narrow, narrowParameter } from "../model/narrow";
import { type Parameters, read } from "../net/api";
import type { Feed } from "./feed-fold";
import { newsIn } from "./unread-on-entry";

/** The number of messages in one request. */
const pageSize = 100;
/** The greatest number in one request when loaded messages are loaded again. */
const refreshedMax = 1_000;

/** A message of an answer, with its contents in which the words of a search are marked. */
export type Answered = FlaggedMessage & { match_content?: string; match_subject?: string };

/** Requests messages of a narrow. */
export const ask = (narrow: Narrow, range: Parameters) =>
  read("/messages", {
    narrow: narrowParameter(narrow),
    ...range,
    client_gravatar: true,
    allow_empty_topic_name: true,
  });

/** The part of a feed to load: around its start, or more at one end. */
export type End = "around" | "older" | "newer";

/** The range of messages for a request. */
export function rangeOf({ narrow, messages, openedAt, start, isOldest }: Feed, end: End) {
  const half = pageSize / 2;
  if (end === "older")
    return { anchor: messages[0]?.id ?? "newest", num_before: pageSize, num_after: 0 };
  if (end === "newer") {
    // If all messages have left a feed that began at its oldest, all that are in it now are newer.
    const begin = isOldest ? "oldest" : "newest";
    return { anchor: messages.at(-1)?.id ?? begin, num_before: 0, num_after: pageSize };
  }
  if (openedAt !== undefined) return { anchor: openedAt, num_before: half, num_after: half };
  if (start === "oldest") return { anchor: "oldest", num_before: 0, num_after: pageSize };
  return start === "newest" || newsIn(narrow) === undefined
    ? { anchor: "newest", num_before: pageSize, num_after: 0 }
    : { anchor: "first_unread", num_before: half, num_after: half };
}

/**
 * A range that ends at a message, to load about as many messages again. It is at least a page,
 * because there may be many more messages now.
 */
export const rangeBack = (anchor: number, count: number): Parameters => ({
  anchor,
  num_before: Math.min(Math.max(count, pageSize), refreshedMax),
  num_after: 0,
});
