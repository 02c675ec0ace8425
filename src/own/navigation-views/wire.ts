import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../core/params";
import type { NavigationView } from "./queries";

/** A view as the protocol shows it. */
export const navigationViewObject = Type.Object(
  {
    fragment: Type.String({
      description: "End of the address of the view in Zulip's web client: `narrow/is/starred`.",
    }),
    is_pinned: Type.Boolean(),
    name: nullable(
      Type.String({ description: "Null for a built-in view, whose name clients know." }),
    ),
  },
  { title: "NavigationView" },
);

export const navigationViewWire = ({
  fragment,
  isPinned,
  name,
}: NavigationView): Static<typeof navigationViewObject> => ({
  fragment,
  is_pinned: isPinned,
  name,
});
