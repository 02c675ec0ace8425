import { homeFragment, place } from "../store/place";
import { railFilter } from "../store/rail-lists";
import { settings } from "../store/state";
import { closeSheet } from "../views/people-door";
import { closeSearch, isSearching } from "../views/search";

/** Goes up one layer: a field, a sheet, a filter, a search; from none of them home, by the setting. */
export function leave(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement.matches("input, textarea, article")) {
    activeElement.blur();
    return;
  }
  if (closeSheet()) return;
  if (railFilter.value !== undefined) railFilter.value = undefined;
  else if (isSearching()) closeSearch();
  else if (settings.value.web_escape_navigates_to_home_view && !isHome())
    location.hash = homeFragment();
}

const isHome = (): boolean => place.value.view === homeFragment().slice(1);
