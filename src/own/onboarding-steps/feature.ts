import { feature } from "../../core/manifest";
import * as onboardingStepEvents from "./events";
import { onboardingStepEndpoints } from "./routes";
import { onboardingStepState } from "./state";

/** Steps of the introduction to a client that somebody has seen. */
export const onboardingStepFeature = feature({
  name: "onboarding steps",
  endpoints: onboardingStepEndpoints,
  state: [onboardingStepState],
  events: [onboardingStepEvents],
});
