import { focusHome } from "../parts/focus-home";
import { closeSheet } from "../store/people-pane";
import { homeFragment, place } from "../store/place";
import { railFilter } from "../store/rail-lists";
import { closeSearch, isSearching } from "../store/search";
import { settings } from "../store/state";

/**
 * Leaves one layer: a field, a sheet, a filter, or a search. Without any of these, it goes to the
 * home view, if the person's setting allows that.
 */
export function leave(): void {
  const { activeElement } = document;
  const layers = "input, textarea, select, article";
  if (activeElement instanceof HTMLElement && activeElement.matches(layers)) {
    focusHome();
    return;
  }
  if (closeSheet()) return;
  if (railFilter.value !== undefined) railFilter.value = undefined;
  else if (isSearching()) closeSearch();
  else if (settings.value.web_escape_navigates_to_home_view && !isHome())
    location.hash = homeFragment();
}

const isHome = (): boolean => place.value.view === homeFragment().slice(1);
