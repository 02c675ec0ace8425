import { type Static, Type } from "@sinclair/typebox";
import { word } from "../../core/params";

/** When somebody was last present: null if no client of theirs was ever active. */
export interface SeenAt {
  activeAt: number | null;
  connectedAt: number;
}

/** Seconds without a report after which somebody counts as offline; clients get it at register. */
export const offlineSeconds = 200;
/**
 * Somebody counts as active if they were so within this time before their client's last report,
 * because clients report every minute.
 */
const stillActiveSeconds = 70;

/** Seconds by which the clocks of several servers may differ. */
const clocksDifferMax = 60;

/** Whether somebody was seen while the clock was ahead, so that nobody knows when it was. */
export const isAhead = ({ connectedAt }: SeenAt, now: number) =>
  connectedAt - now > clocksDifferMax;

/** Presence of a person in the modern form, in UNIX seconds. */
export const modernPresence = Type.Object({
  active_timestamp: Type.Integer(),
  idle_timestamp: Type.Integer(),
});

/** `joinedAt` replaces missing times. */
export const modernForm = (
  { activeAt, connectedAt }: SeenAt,
  joinedAt: number,
): Static<typeof modernPresence> => ({
  active_timestamp: activeAt ?? joinedAt,
  idle_timestamp: connectedAt,
});

/** Presence of a person in the older form: one state and its time, in UNIX seconds. */
const legacyStatusObject = Type.Object({
  status: word("active", "idle"),
  timestamp: Type.Integer(),
});

function legacyStatus({ activeAt, connectedAt }: SeenAt): Static<typeof legacyStatusObject> {
  const isActive = activeAt !== null && activeAt + stillActiveSeconds >= connectedAt;
  return { status: isActive ? "active" : "idle", timestamp: isActive ? activeAt : connectedAt };
}

const aggregatedObject = Type.Object({ client: Type.String(), ...legacyStatusObject.properties });

/** The entry of the `website` client, which represents all clients. */
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

/** `legacyPresence` as JSON: a list has one for each person, and is written after each change. */
export function legacyText(seen: SeenAt): string {
  const { status, timestamp } = legacyStatus(seen);
  const shown = `{"client":"website","status":"${status}","timestamp":${timestamp}`;
  return `{"aggregated":${shown}},"website":${shown},"pushable":false}}`;
}

/** People by their ids in the modern form, or by their e-mail addresses in the older one. */
export const presencesObject = Type.Union([
  Type.Record(Type.String(), modernPresence, { description: "By ids of users." }),
  Type.Record(Type.String(), legacyPresence, { description: "By e-mail addresses." }),
]);

/** The presence of a single person: only this form has the status "offline". */
export const singlePresence = Type.Object({
  aggregated: Type.Object({
    ...legacyStatusObject.properties,
    status: word("active", "idle", "offline"),
  }),
  website: legacyStatusObject,
});

/** The presence of a single person who shares none: it shows only when the account was made. */
export const hiddenForm = (joinedAt: number): Static<typeof singlePresence> => ({
  aggregated: { status: "offline", timestamp: joinedAt },
  website: { status: "idle", timestamp: joinedAt },
});

export function singleForm(seen: SeenAt, now: number): Static<typeof singlePresence> {
  const status = legacyStatus(seen);
  const isOffline = now - status.timestamp > offlineSeconds;
  return { aggregated: isOffline ? { ...status, status: "offline" } : status, website: status };
}
