import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { legacyClientObject, modernPresence } from "./wire";

/**
 * Somebody has become present or inactive, in the form for older clients; without `email` for those
 * that registered with `slim_presence`. To people who see them. Not stored.
 */
export const presenceChanged = event("presence", undefined, {
  user_id: Type.Integer(),
  email: Type.Optional(Type.String()),
  server_timestamp: Type.Integer(),
  presence: Type.Object({ website: legacyClientObject }),
});

/**
 * Presence of people by their ids, for clients with the capability `simplified_presence_events`.
 */
export const modernPresenceChanged = event("presence", undefined, {
  presences: Type.Record(Type.String(), modernPresence),
});
