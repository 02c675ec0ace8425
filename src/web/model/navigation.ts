import { byKey, change, put, withMembers, withoutKeys } from "./copies";
import type { Event, NavigationView, Register } from "./wire";

/** Views that the person has added to the rail or removed from it, by fragment. */
type NavigationViews = ReadonlyMap<string, NavigationView>;

export const navigationFrom = ({ navigation_views }: Register): NavigationViews =>
  byKey(navigation_views, ({ fragment }) => fragment);

export function applyNavigation(views: NavigationViews, event: Event): NavigationViews {
  if (event.type !== "navigation_view") return views;
  if (event.op === "add") return put(views, event.navigation_view.fragment, event.navigation_view);
  if (event.op === "remove") return withoutKeys(views, [event.fragment]);
  return change(views, event.fragment, (view) => withMembers(view, event.data));
}

/** Names of the onboarding hints that the person has not seen. */
export const hintsFrom = ({ onboarding_steps }: Register): ReadonlySet<string> =>
  new Set(onboarding_steps.map(({ name }) => name));

export const applyHints = (hints: ReadonlySet<string>, event: Event): ReadonlySet<string> =>
  event.type === "onboarding_steps"
    ? new Set(event.onboarding_steps.map(({ name }) => name))
    : hints;
