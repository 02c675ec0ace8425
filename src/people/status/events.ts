import { Type } from "@sinclair/typebox";
import type { Presenter } from "../../core/event-hub";
import { event } from "../../events/define";
import { emojiTypeFor, statusTextsObject } from "./wire";

/**
 * Somebody says something else of themself: what of it is new. Empty is what is no longer set. To
 * those who see them.
 */
export const statusChanged = event("user_status", undefined, {
  user_id: Type.Integer(),
  /** Older clients know so who is invisible. */
  away: Type.Optional(Type.Boolean()),
  ...statusTextsObject.properties,
});

/** The protocol's official clients know the extra emoji type by its older name only. */
export const statusPresenter: Presenter = {
  shape(event, { isOfficialClient }) {
    const { reaction_type: type } = event;
    if (typeof type !== "string" || emojiTypeFor(type, isOfficialClient) === type)
      return { variant: "", event };
    return {
      variant: "official",
      event: { ...event, reaction_type: emojiTypeFor(type, isOfficialClient) },
    };
  },
};
