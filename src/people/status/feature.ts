import { feature } from "../../core/manifest";
import { endStatus } from "./end";
import * as statusEvents from "./events";
import { statusPresenter } from "./events";
import { statusEndpoints } from "./routes";
import { statusState } from "./state";

/** Statuses of people. */
export const statusFeature = feature({
  name: "status",
  endpoints: statusEndpoints,
  state: [statusState],
  events: [statusEvents],
  jobs: [endStatus],
  presenters: () => [["user_status", statusPresenter]],
});
