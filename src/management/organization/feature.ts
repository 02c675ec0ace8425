import { feature } from "../../core/manifest";
import { learnPublicHost } from "../../realm/arrival";
import * as realmEvents from "../../realm/events";
import { deleteDueRealms } from "./delete";
import { realmEndpoints } from "./routes";
import { realmStates } from "./state";

/** The organization: its settings, its name, its deactivation. */
export const realmFeature = feature({
  name: "realm settings",
  endpoints: realmEndpoints,
  state: realmStates,
  events: [realmEvents],
  opened: async (app) => learnPublicHost(app),
  tasks: [
    {
      name: "deletion",
      at: ["minute"],
      make: (app, isEnding) => () => deleteDueRealms(app, isEnding),
    },
  ],
});
