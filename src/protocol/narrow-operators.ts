/** Operators of narrows, by each name that they have in links. */
export const narrowOperators = {
  channel: "channel",
  stream: "channel",
  channels: "channels",
  streams: "channels",
  topic: "topic",
  subject: "topic",
  dm: "dm",
  "pm-with": "dm",
  "dm-including": "dm-including",
  "group-pm-with": "dm-including",
  sender: "sender",
  from: "sender",
  mentions: "mentions",
  id: "id",
  with: "with",
  near: "near",
  is: "is",
  has: "has",
  in: "in",
  search: "search",
} as const;

/** Flags of messages that mention their reader. */
export const mentionFlags = [
  "mentioned",
  "wildcard_mentioned",
  "stream_wildcard_mentioned",
  "topic_wildcard_mentioned",
];
