import { feature } from "../../core/manifest";
import * as userTopicEvents from "./events";
import { userTopicPresenters } from "./presenter";
import { userTopicEndpoints } from "./routes";
import { userTopicStates } from "./state";

/** Topics as people mute or follow them. */
export const userTopicFeature = feature({
  name: "user topics",
  endpoints: userTopicEndpoints,
  state: userTopicStates,
  events: [userTopicEvents],
  presenters: () => userTopicPresenters,
});
