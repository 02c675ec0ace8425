import { Type } from "@sinclair/typebox";
import { audited } from "../../core/audit";
import { endpoint } from "../../core/endpoint";
import { DeleteTopic, deleteTopic, ListTopics, listReadableTopics, TopicList } from "./service";

export const topicEndpoints = [
  endpoint({
    method: "GET",
    path: "/users/me/{stream_id}/topics",
    summary: "Lists the topics of a channel that you may read.",
    who: "spectator",
    input: ListTopics,
    output: TopicList,
    verb: listReadableTopics,
  }),
  endpoint({
    method: "POST",
    path: "/streams/{stream_id}/delete_topic",
    summary: "Deletes all messages of a topic.",
    who: "administrator",
    audit: audited("topic.delete"),
    input: DeleteTopic,
    output: Type.Object({ complete: Type.Boolean() }),
    verb: deleteTopic,
  }),
];
