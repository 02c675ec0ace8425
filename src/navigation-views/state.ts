import { ownRows, type StateLoader } from "../core/state";
import { listNavigationViews } from "./queries";
import { navigationViewWire } from "./wire";

/** `navigation_views`: those of the user. */
export const navigationViewState: StateLoader = {
  fetchTypes: ["navigation_views"],
  own: ownRows((t) => t.navigationViews, { navigation_views: [] }),
  load: async ({ realm, actor }, reader) => ({
    navigation_views: (await listNavigationViews(reader, realm.id, actor.user.id)).map(navigationViewWire),
  }),
};
