import { Type } from "@sinclair/typebox";
import { ownRows, type StateLoader } from "../../core/state";
import { shownTopic } from "../topics/empty-topic";
import { listMutedTopics, listUserTopics } from "./queries";
import { mutedTopics, userTopicObject } from "./wire";

/** `user_topics`: the user's policies for topics. */
const userTopicsState = {
  fetchTypes: ["user_topic"],
  keys: { user_topics: Type.Array(userTopicObject) },
  own: ownRows((t) => t.userTopics, { user_topics: [] }),
  async load({ realm, actor }, reader, { emptyTopicName }) {
    const rows = await listUserTopics(reader, realm.id, actor.user.id);
    return {
      user_topics: rows.map(({ channelId, topic, updatedAt, visibilityPolicy }) => ({
        stream_id: channelId,
        topic_name: shownTopic(topic, emptyTopicName),
        last_updated: updatedAt,
        visibility_policy: visibilityPolicy,
      })),
    };
  },
} satisfies StateLoader;

/** `muted_topics`, for clients that do not ask for `user_topic`. */
const mutedTopicsState = {
  fetchTypes: ["muted_topics"],
  keys: { muted_topics: mutedTopics },
  unlessFetched: "user_topic",
  own: ownRows((t) => t.userTopics, { muted_topics: [] }),
  async load({ realm, actor, now }, reader, { emptyTopicName }) {
    const view = { now, emptyTopicName };
    return { muted_topics: await listMutedTopics(reader, realm.id, actor.user.id, view) };
  },
} satisfies StateLoader;

export const userTopicStates = [userTopicsState, mutedTopicsState] satisfies StateLoader[];
