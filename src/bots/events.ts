import { Type } from "@sinclair/typebox";
import { event } from "../events/define";
import { botObject } from "./wire";

/** There is a new bot. To administrators and its owner; what everybody sees of it comes as a realm_user event. */
export const botAdded = event("realm_bot", "add", { bot: botObject });

/** A bot is no longer theirs to see as one. To those who are not administrators any more. */
export const botRemoved = event("realm_bot", "delete", { bot: Type.Object({ user_id: Type.Integer() }) });
