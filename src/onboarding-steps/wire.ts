/** A hint as the protocol shows it. */
export const onboardingStepWire = (name: string) => ({ type: "one_time_notice", name });
