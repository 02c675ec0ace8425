import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const Playground = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  pygments_language: Type.String(),
  url_template: Type.String(),
});

/** The realm's playgrounds are others than before: all of them. */
export const playgroundsChanged = event("realm_playgrounds", undefined, { realm_playgrounds: Type.Array(Playground) });
