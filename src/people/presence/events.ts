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
 * The same event for clients with the capability `simplified_presence_events`: people by their ids.
 */
export const modernPresenceChanged = event("presence", undefined, {
  presences: Type.Record(Type.String(), modernPresence),
});
