import { feature } from "../../core/manifest";
import * as deviceEvents from "../events";
import { pushDevicePresenter } from "./presenter";
import { relayRegistrationJob } from "./relay-registration";
import { deviceEndpoints } from "./routes";
import { deviceStates } from "./state";

/** Devices that are registered for notifications. */
export const deviceFeature = feature({
  name: "devices",
  endpoints: deviceEndpoints,
  state: deviceStates,
  events: [deviceEvents],
  presenters: () => [["push_device", pushDevicePresenter]],
  jobs: [relayRegistrationJob],
});
