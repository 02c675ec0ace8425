import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { onboardingStepObject } from "./wire";

/** Somebody has seen a hint; lists the hints that they have not seen. */
export const onboardingStepsChanged = event("onboarding_steps", undefined, {
  onboarding_steps: Type.Array(onboardingStepObject),
});
