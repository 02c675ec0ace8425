import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { navigationViewObject } from "./wire";

const { fragment } = navigationViewObject.properties;

export const navigationViewAdded = event("navigation_view", "add", {
  navigation_view: navigationViewObject,
});

/** `data` has the changed fields. */
export const navigationViewChanged = event("navigation_view", "update", {
  fragment,
  data: Type.Object({
    is_pinned: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String()),
  }),
});

export const navigationViewRemoved = event("navigation_view", "remove", { fragment });
