import { type Static, Type } from "@sinclair/typebox";
import { word } from "../../core/params";

/** When somebody was last there: null if no client of theirs was ever used. */
export interface SeenAt {
  activeAt: number | null;
  connectedAt: number;
}

/** Since when who is not heard of counts as gone; clients are told at register. */
export const offlineSeconds = 200;
/** Clients report every minute: who was active so shortly before they connected last still is. */
const stillActiveSeconds = 70;

/** Presence of a person as today's clients read it, in UNIX seconds. */
export const modernPresence = Type.Object({
  active_timestamp: Type.Integer(),
  idle_timestamp: Type.Integer(),
});

/** `joinedAt` stands in for a time that never was. */
export const modernForm = (
  { activeAt, connectedAt }: SeenAt,
  joinedAt: number,
): Static<typeof modernPresence> => ({
  active_timestamp: activeAt ?? joinedAt,
  idle_timestamp: connectedAt,
});

/** Presence of a person as older clients read it: one state and since when, in UNIX seconds. */
const legacyStatusObject = Type.Object({
  status: word("active", "idle"),
  timestamp: Type.Integer(),
});

function legacyStatus({ activeAt, connectedAt }: SeenAt): Static<typeof legacyStatusObject> {
  const isActive = activeAt !== null && activeAt + stillActiveSeconds >= connectedAt;
  return { status: isActive ? "active" : "idle", timestamp: isActive ? activeAt : connectedAt };
}

const aggregatedObject = Type.Object({ client: Type.String(), ...legacyStatusObject.properties });

/** The entry of the `website` client, which stands for all clients. */
export const legacyClientObject = Type.Object(
  { ...aggregatedObject.properties, pushable: Type.Boolean() },
  { title: "LegacyPresence" },
);

export const legacyClient = (seen: SeenAt): Static<typeof legacyClientObject> => ({
  client: "website",
  ...legacyStatus(seen),
  pushable: false,
});

/** A person in a legacy list (`docs/protocol/specification.md`, Presence entry). */
export const legacyPresence = Type.Object({
  aggregated: aggregatedObject,
  website: legacyClientObject,
});

export const legacyForm = (seen: SeenAt): Static<typeof legacyPresence> => ({
  aggregated: { client: "website", ...legacyStatus(seen) },
  website: legacyClient(seen),
});

/**
 * People by their ids as today's clients read it, or by their e-mail addresses as older ones do.
 */
export const presencesObject = Type.Union([
  Type.Record(Type.String(), modernPresence, { description: "By ids of users." }),
  Type.Record(Type.String(), legacyPresence, { description: "By e-mail addresses." }),
]);

/** A person looked at alone: only here somebody is called offline. */
export const singlePresence = Type.Object({
  aggregated: Type.Object({
    ...legacyStatusObject.properties,
    status: word("active", "idle", "offline"),
  }),
  website: legacyStatusObject,
});

/**
 * A person looked at alone who lets nobody see when they are there: all that is told is when the
 * account was made.
 */
export const hiddenForm = (joinedAt: number): Static<typeof singlePresence> => ({
  aggregated: { status: "offline", timestamp: joinedAt },
  website: { status: "idle", timestamp: joinedAt },
});

export function singleForm(seen: SeenAt, now: number): Static<typeof singlePresence> {
  const status = legacyStatus(seen);
  const isOffline = now - status.timestamp > offlineSeconds;
  return { aggregated: isOffline ? { ...status, status: "offline" } : status, website: status };
}
