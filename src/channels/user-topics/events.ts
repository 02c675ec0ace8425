import { event } from "../../events/define";
import { mutedTopics, userTopicObject } from "./wire";

/**
 * Somebody wants something else of a topic than before; a policy of 0 is what the channel gives.
 */
export const userTopicChanged = event("user_topic", undefined, userTopicObject.properties);

/**
 * All that somebody has muted, for clients that were written before `user_topic`: channel's name,
 * topic, UNIX seconds.
 */
export const mutedTopicsChanged = event("muted_topics", undefined, { muted_topics: mutedTopics });
