import { feature } from "../../core/manifest";
import * as typingEvents from "./events";
import { typingPresenters } from "./presenter";
import { typingEndpoints } from "./routes";

/** Notices that somebody is typing. */
export const typingFeature = feature({
  name: "typing",
  endpoints: typingEndpoints,
  events: [typingEvents],
  presenters: () => typingPresenters,
});
