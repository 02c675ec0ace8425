import { feature } from "../../core/manifest";
import * as userGroupEvents from "../../people/user-groups/events";
import { userGroupPresenter } from "../../people/user-groups/events";
import { userGroupStateLoader } from "../../people/user-groups/state";
import { beginFullMembers, fullMembersJob } from "./full-members";
import { userGroupEndpoints } from "./routes";

/** Groups of people. */
export const userGroupFeature = feature({
  name: "user groups",
  endpoints: userGroupEndpoints,
  state: [userGroupStateLoader],
  events: [userGroupEvents],
  presenters: () => [["user_group", userGroupPresenter]],
  jobs: [fullMembersJob],
  tasks: [
    {
      name: "full members",
      at: ["start", "minute"],
      make: (app) => () => beginFullMembers(app),
    },
  ],
});
