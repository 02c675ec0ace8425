import type { FlaggedMessage } from "../model/message";
import { type Narrow, narrowParameter } from "../model/narrow";
import { type Parameters, read } from "../net/api";
import type { Feed } from "./feed-fold";
import { newsIn } from "./unread-on-entry";

/** Number of messages that are asked for at a time. */
const pageSize = 100;
/** Most of them, where messages that are loaded already are read anew. */
const refreshedMax = 1_000;

/** A message of an answer, beside its contents with the words of a search marked. */
export type Answered = FlaggedMessage & { match_content?: string; match_subject?: string };

/** Asks the server for messages of a narrow. */
export const ask = (narrow: Narrow, range: Parameters) =>
  read("/messages", {
    narrow: narrowParameter(narrow),
    ...range,
    client_gravatar: true,
    allow_empty_topic_name: true,
  });

/** Part of a feed that is loaded: where it begins, or more at one of its ends. */
export type End = "around" | "older" | "newer";

/** Range of messages to ask for. */
export function rangeOf({ narrow, messages, openedAt, start }: Feed, end: End) {
  const half = pageSize / 2;
  if (end === "older")
    return { anchor: messages[0]?.id ?? "newest", num_before: pageSize, num_after: 0 };
  if (end === "newer")
    return { anchor: messages.at(-1)?.id ?? "newest", num_before: 0, num_after: pageSize };
  if (openedAt !== undefined) return { anchor: openedAt, num_before: half, num_after: half };
  if (start === "oldest") return { anchor: "oldest", num_before: 0, num_after: pageSize };
  return start === "newest" || newsIn(narrow) === undefined
    ? { anchor: "newest", num_before: pageSize, num_after: 0 }
    : { anchor: "first_unread", num_before: half, num_after: half };
}

/**
 * Range back from a message, to read about so many messages anew. It has a page at the least,
 * because there may be many more now.
 */
export const rangeBack = (anchor: number, count: number): Parameters => ({
  anchor,
  num_before: Math.min(Math.max(count, pageSize), refreshedMax),
  num_after: 0,
});
