import { type Static, Type } from "@sinclair/typebox";

/** A hint as the protocol shows it. */
export const onboardingStepObject = Type.Object(
  { type: Type.Literal("one_time_notice"), name: Type.String() },
  { title: "OnboardingStep" },
);

export const onboardingStepWire = (name: string): Static<typeof onboardingStepObject> => ({
  type: "one_time_notice",
  name,
});
