import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

/** Somebody has seen a hint: those that are left. */
export const onboardingStepsChanged = event("onboarding_steps", undefined, {
  onboarding_steps: Type.Array(Type.Object({ type: Type.String(), name: Type.String() })),
});
