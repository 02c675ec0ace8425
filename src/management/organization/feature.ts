import { feature } from "../../core/manifest";
import * as realmEvents from "../../realm/events";
import { deleteDueRealms } from "./delete";
import { findPublicOrganization } from "./public-address";
import { realmEndpoints } from "./routes";
import { realmStates } from "./state";

/** The organization: its settings, its name, its deactivation. */
export const realmFeature = feature({
  name: "realm settings",
  endpoints: realmEndpoints,
  state: realmStates,
  events: [realmEvents],
  opened: findPublicOrganization,
  tasks: [
    {
      name: "deletion",
      at: ["minute"],
      make: (app, isEnding) => () => deleteDueRealms(app, isEnding),
    },
  ],
});
