import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { botDetails, botObject } from "./wire";

/**
 * There is a new bot. To administrators and its owner; what everybody sees of it comes as a
 * realm_user event.
 */
export const botAdded = event("realm_bot", "add", { bot: botObject });

/**
 * Some facts about a bot beside its account have changed: what is new of it. To administrators and
 * its owner.
 */
export const botChanged = event("realm_bot", "update", {
  bot: Type.Object({
    user_id: Type.Integer(),
    ...Type.Partial(Type.Object(botDetails)).properties,
  }),
});

/**
 * A bot is no longer theirs to see as one. To those who do not own it any more, or are no
 * administrators any more.
 */
export const botRemoved = event("realm_bot", "delete", {
  bot: Type.Object({ user_id: Type.Integer() }),
});
