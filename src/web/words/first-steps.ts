import { firstSteps } from "./en/first-steps";

/** Texts of the first steps, which are loaded with the inbox. */
export const firstStepWords: typeof firstSteps =
  globalThis.chatdLanguage?.parts.firstSteps ?? firstSteps;
