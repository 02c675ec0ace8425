import { feature } from "../../core/manifest";
import * as invitationEvents from "../../people/invited/events";
import { registrationJob } from "../ask-to-join";
import { invitationEndpoints, joinPages } from "./routes";

/** Invitations, and joining by them. */
export const invitationFeature = feature({
  name: "invitations",
  endpoints: invitationEndpoints,
  pages: joinPages,
  events: [invitationEvents],
  jobs: [registrationJob],
});
