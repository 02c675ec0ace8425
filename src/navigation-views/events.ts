import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const fragment = Type.String();

export const navigationViewAdded = event("navigation_view", "add", {
  navigation_view: Type.Object({
    fragment,
    is_pinned: Type.Boolean(),
    name: Type.Union([Type.String(), Type.Null()]),
  }),
});

/** `data` holds what is different now. */
export const navigationViewChanged = event("navigation_view", "update", {
  fragment,
  data: Type.Object({ is_pinned: Type.Optional(Type.Boolean()), name: Type.Optional(Type.String()) }),
});

export const navigationViewRemoved = event("navigation_view", "remove", { fragment });
