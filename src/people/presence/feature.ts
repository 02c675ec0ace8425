import { feature } from "../../core/manifest";
import * as presenceEvents from "./events";
import { presencePresenter } from "./presenter";
import { presenceEndpoints } from "./routes";
import { presenceState } from "./state";

/** Presence: who is present, and since when. */
export const presenceFeature = feature({
  name: "presence",
  endpoints: presenceEndpoints,
  state: [presenceState],
  events: [presenceEvents],
  presenters: () => [["presence", presencePresenter]],
});
