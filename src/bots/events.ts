import { event } from "../events/define";
import { botObject } from "./wire";

/** There is a new bot. To administrators and its owner; what everybody sees of it comes as a realm_user event. */
export const botAdded = event("realm_bot", "add", { bot: botObject });
