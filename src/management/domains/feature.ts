import { feature } from "../../core/manifest";
import * as domainEvents from "./events";
import { domainEndpoints } from "./routes";
import { domainState } from "./state";

/** Domains of the addresses that may join. */
export const domainFeature = feature({
  name: "domains",
  endpoints: domainEndpoints,
  state: [domainState],
  events: [domainEvents],
});
