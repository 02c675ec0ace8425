import { feature } from "../../core/manifest";
import * as draftEvents from "./events";
import { draftEndpoints } from "./routes";
import { draftsState } from "./state";

/** Drafts of messages. */
export const draftFeature = feature({
  name: "drafts",
  endpoints: draftEndpoints,
  state: [draftsState],
  events: [draftEvents],
});
