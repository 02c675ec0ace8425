import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { legacyClientObject, modernPresence } from "./wire";

/**
 * Somebody is there who was not, or shows it no longer, as older clients are told; without `email`
 * for those that registered with `slim_presence`. To those who see them. Not stored.
 */
export const presenceChanged = event("presence", undefined, {
  user_id: Type.Integer(),
  email: Type.Optional(Type.String()),
  server_timestamp: Type.Integer(),
  presence: Type.Object({ website: legacyClientObject }),
});

/**
 * Event of that kind for clients with the capability `simplified_presence_events`: people by their
 * ids.
 */
export const modernPresenceChanged = event("presence", undefined, {
  presences: Type.Record(Type.String(), modernPresence),
});
