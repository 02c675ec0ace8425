import { Type } from "@sinclair/typebox";
import { ownRows, type StateLoader } from "../../core/state";
import { listNavigationViews } from "./queries";
import { navigationViewObject, navigationViewWire } from "./wire";

/** `navigation_views`: those of the user. */
export const navigationViewState = {
  fetchTypes: ["navigation_views"],
  keys: { navigation_views: Type.Array(navigationViewObject) },
  own: ownRows((t) => t.navigationViews, { navigation_views: [] }),
  load: async ({ realm, actor }, reader) => ({
    navigation_views: (await listNavigationViews(reader, realm.id, actor.user.id)).map(
      navigationViewWire,
    ),
  }),
} satisfies StateLoader;
