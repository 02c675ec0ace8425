import { Type } from "@sinclair/typebox";
import type { StateLoader } from "../../core/state";
import { listUnseenSteps } from "./queries";
import { onboardingStepObject, onboardingStepWire } from "./wire";

/** `onboarding_steps`: the hints that the user has not seen; none for bots. */
export const onboardingStepState = {
  fetchTypes: ["onboarding_steps"],
  keys: {
    onboarding_steps: Type.Array(onboardingStepObject),
    navigation_tour_video_url: Type.Null(),
  },
  async load({ realm, actor: { user } }, reader) {
    const names = user.botType === null ? await listUnseenSteps(reader, realm.id, user.id) : [];
    return { onboarding_steps: names.map(onboardingStepWire), navigation_tour_video_url: null };
  },
} satisfies StateLoader;
