import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { MarkOnboardingStep, markOnboardingStep } from "./service";

export const onboardingStepEndpoints = [
  endpoint({
    method: "POST",
    path: "/users/me/onboarding_steps",
    summary: "Marks a hint for newcomers as seen.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    callers: "people",
    input: MarkOnboardingStep,
    output: noFields,
    verb: markOnboardingStep,
  }),
];
