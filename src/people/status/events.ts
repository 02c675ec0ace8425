import { Type } from "@sinclair/typebox";
import type { Presenter } from "../../core/event-hub";
import { emojiTypeFor } from "../../emoji/emoji-types";
import { event } from "../../events/define";
import { statusTextsObject } from "./wire";

/**
 * Somebody's status has changed, with the changed fields. An empty field was removed. An event with
 * a text or an emoji tells the end of the whole status, which has none where the event has none. To
 * people who see them.
 */
export const statusChanged = event("user_status", undefined, {
  user_id: Type.Integer(),
  /** Tells older clients that somebody is invisible. */
  away: Type.Optional(Type.Boolean()),
  ...statusTextsObject.properties,
});

/** Statuses for a client: the extra emoji's type has two names. */
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
