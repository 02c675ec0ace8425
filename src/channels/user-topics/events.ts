import { event } from "../../events/define";
import { mutedTopics, userTopicObject } from "./wire";

/** Somebody's visibility policy for a topic has changed; 0 means none. */
export const userTopicChanged = event("user_topic", undefined, userTopicObject.properties);

/**
 * All topics that somebody has muted, for clients that do not know `user_topic`: channel's name,
 * topic, UNIX seconds.
 */
export const mutedTopicsChanged = event(
  "muted_topics",
  undefined,
  {},
  { muted_topics: mutedTopics },
);
