import { type Endpoint, endpoint } from "../http/endpoint";
import { DeleteTopic, deleteTopic, ListTopics, listReadableTopics } from "./service";

export const topicEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/users/me/{stream_id}/topics",
    summary: "Lists the topics of a channel that you may read.",
    who: "spectator",
    input: ListTopics,
    verb: listReadableTopics,
  }),
  endpoint({
    method: "POST",
    path: "/streams/{stream_id}/delete_topic",
    summary: "Deletes all messages of a topic.",
    who: "administrator",
    input: DeleteTopic,
    verb: deleteTopic,
  }),
];
