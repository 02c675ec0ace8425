import { feature } from "../../core/manifest";
import * as userTopicEvents from "./events";
import { makeUserTopicPresenters } from "./presenter";
import { userTopicEndpoints } from "./routes";
import { userTopicStates } from "./state";

/** People's visibility policies for topics: muted, unmuted, followed. */
export const userTopicFeature = feature({
  name: "user topics",
  endpoints: userTopicEndpoints,
  state: userTopicStates,
  events: [userTopicEvents],
  presenters: ({ reader, clock }) => makeUserTopicPresenters(reader, clock),
});
