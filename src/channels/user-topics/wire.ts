import { Type } from "@sinclair/typebox";

/** Somebody's policy for a topic, as the protocol shows it. */
export const userTopicObject = Type.Object(
  {
    stream_id: Type.Integer(),
    topic_name: Type.String(),
    last_updated: Type.Integer({ description: "UNIX seconds." }),
    visibility_policy: Type.Integer({
      description: "0: none; 1: muted; 2: unmuted; 3: followed.",
    }),
  },
  { title: "UserTopic" },
);

/** The topics that somebody has muted, for clients that do not know `user_topic`. */
export const mutedTopics = Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Integer()]), {
  description:
    "For each: the channel's name, the topic's name, and when it was muted, in UNIX seconds.",
});
