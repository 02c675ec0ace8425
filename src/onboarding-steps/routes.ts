import { type Endpoint, endpoint } from "../http/endpoint";
import { MarkOnboardingStep, markOnboardingStep } from "./service";

export const onboardingStepEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/users/me/onboarding_steps",
    summary: "Notes that you have seen a hint for newcomers.",
    who: "user",
    callers: "people",
    input: MarkOnboardingStep,
    verb: markOnboardingStep,
  }),
];
