import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { botDetails, botObject } from "./wire";

/** A bot was created. To administrators and its owner; everybody gets a realm_user event. */
export const botAdded = event("realm_bot", "add", { bot: botObject });

/**
 * Facts about a bot have changed, apart from its account; has the new values. To administrators and
 * its owner.
 */
export const botChanged = event("realm_bot", "update", {
  bot: Type.Object({
    user_id: Type.Integer(),
    ...Type.Partial(Type.Object(botDetails)).properties,
  }),
});

/**
 * A bot is no longer visible as a bot to somebody: to its former owner, or a former administrator.
 */
export const botRemoved = event("realm_bot", "delete", {
  bot: Type.Object({ user_id: Type.Integer() }),
});
