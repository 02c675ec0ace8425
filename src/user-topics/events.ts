import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

/** Somebody wants something else of a topic than before; a policy of 0 is what the channel gives. */
export const userTopicChanged = event("user_topic", undefined, {
  stream_id: Type.Integer(),
  topic_name: Type.String(),
  last_updated: Type.Integer(),
  visibility_policy: Type.Integer(),
});

/** All that somebody has muted, for clients that were written before `user_topic`: channel's name, topic, UNIX seconds. */
export const mutedTopicsChanged = event("muted_topics", undefined, {
  muted_topics: Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Integer()])),
});
