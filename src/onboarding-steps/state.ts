import type { StateLoader } from "../core/state";
import { listUnseenSteps } from "./queries";
import { onboardingStepWire } from "./wire";

/** `onboarding_steps`: the hints that the user has not seen; bots need none. */
export const onboardingStepState: StateLoader = {
  fetchTypes: ["onboarding_steps"],
  async load({ realm, actor: { user } }, reader) {
    const names = user.botType === null ? await listUnseenSteps(reader, realm.id, user.id) : [];
    return { onboarding_steps: names.map(onboardingStepWire), navigation_tour_video_url: null };
  },
};
