import { endpoint, noFields } from "../../core/endpoint";
import {
  AddNavigationView,
  addNavigationView,
  ChangeNavigationView,
  changeNavigationView,
  getNavigationViews,
  ListNavigationViews,
  NavigationViewList,
  RemoveNavigationView,
  removeNavigationView,
} from "./service";

/** Fragments contain slashes: `narrow/is/mentioned`. */
const viewEndpoint = {
  path: "/navigation_views/{fragment}",
  who: "user",
  takesRest: true,
} as const;

export const navigationViewEndpoints = [
  endpoint({
    method: "GET",
    path: "/navigation_views",
    summary: "Lists the views that you keep at hand.",
    who: "user",
    input: ListNavigationViews,
    output: NavigationViewList,
    verb: getNavigationViews,
  }),
  endpoint({
    method: "POST",
    path: "/navigation_views",
    summary: "Keeps a view at hand.",
    who: "user",
    input: AddNavigationView,
    output: noFields,
    verb: addNavigationView,
  }),
  endpoint({
    ...viewEndpoint,
    method: "PATCH",
    summary: "Pins or renames a view.",
    input: ChangeNavigationView,
    output: noFields,
    verb: changeNavigationView,
  }),
  endpoint({
    ...viewEndpoint,
    method: "DELETE",
    summary: "Lets go of a view.",
    input: RemoveNavigationView,
    output: noFields,
    verb: removeNavigationView,
  }),
];
