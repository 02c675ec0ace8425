import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

/** When somebody was last there, as today's clients know it. UNIX seconds. */
export const modernPresence = Type.Object({ active_timestamp: Type.Integer(), idle_timestamp: Type.Integer() });

/** The same for older clients. */
export const legacyPresence = Type.Object({
  client: Type.String(),
  status: Type.String(),
  timestamp: Type.Integer(),
  pushable: Type.Optional(Type.Boolean()),
});

/**
 * Somebody is there who was not, or shows it no longer: in both forms, of which each client gets its own. To those who see
 * them. Not stored.
 */
export const presenceChanged = event("presence", undefined, {
  user_id: Type.Integer(),
  email: Type.String(),
  server_timestamp: Type.Number(),
  presence: Type.Record(Type.String(), legacyPresence),
  presences: Type.Record(Type.String(), modernPresence),
});
