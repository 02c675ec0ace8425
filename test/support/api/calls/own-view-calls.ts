import type { Person } from "../../world";
import { type Calls, everyone, people } from "./call";
import { newName } from "./things";

async function newView(caller: Person): Promise<string> {
  const fragment = `narrow/topic/${newName("t")}`;
  await caller.post("/navigation_views", { fragment, is_pinned: true, name: fragment });
  return fragment;
}

/** The outsider has views of their own, in their own organization. */
export const ownViewCalls: Calls = {
  "GET /navigation_views": { outcomes: everyone, prepare: () => ({}) },
  "POST /navigation_views": {
    outcomes: everyone,
    prepare: () => ({
      parameters: { fragment: newName("f"), is_pinned: false, name: newName("View") },
    }),
  },
  "PATCH /navigation_views/{fragment}": {
    outcomes: everyone,
    prepare: async (_, caller) => ({
      path: { fragment: await newView(caller) },
      parameters: { is_pinned: false },
    }),
  },
  "DELETE /navigation_views/{fragment}": {
    outcomes: everyone,
    prepare: async (_, caller) => ({ path: { fragment: await newView(caller) } }),
  },
  "POST /users/me/onboarding_steps": {
    outcomes: people,
    prepare: () => ({ parameters: { onboarding_step: "intro_inbox_view_modal" } }),
  },
};
