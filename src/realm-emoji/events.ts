import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

/** The organization's emoji are others: all of them, by id. To the realm. */
export const realmEmojiChanged = event("realm_emoji", "update", {
  realm_emoji: Type.Record(
    Type.String(),
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      source_url: Type.String(),
      still_url: Type.Union([Type.String(), Type.Null()]),
      deactivated: Type.Boolean(),
      author_id: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
});
