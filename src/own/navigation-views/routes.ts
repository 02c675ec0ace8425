import { auditReasons, notAudited } from "../../core/audit";
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
    summary: "Lists the views in your navigation.",
    who: "user",
    input: ListNavigationViews,
    output: NavigationViewList,
    verb: getNavigationViews,
  }),
  endpoint({
    method: "POST",
    path: "/navigation_views",
    summary: "Adds a view to your navigation.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: AddNavigationView,
    output: noFields,
    verb: addNavigationView,
  }),
  endpoint({
    ...viewEndpoint,
    audit: notAudited(auditReasons.oneself),
    method: "PATCH",
    summary: "Pins or renames a view.",
    input: ChangeNavigationView,
    output: noFields,
    verb: changeNavigationView,
  }),
  endpoint({
    ...viewEndpoint,
    audit: notAudited(auditReasons.oneself),
    method: "DELETE",
    summary: "Removes a view from your navigation.",
    input: RemoveNavigationView,
    output: noFields,
    verb: removeNavigationView,
  }),
];
