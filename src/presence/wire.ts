/** When somebody was last there: null if no client of theirs was ever used. */
export interface SeenAt {
  activeAt: number | null;
  connectedAt: number;
}

/** Since when who is not heard of counts as gone; clients are told at register. */
export const offlineSeconds = 200;
/** Clients report every minute: who was active so shortly before they connected last still is. */
const stillActiveSeconds = 70;

/** As today's clients read it. `joinedAt` stands in for a time that never was. */
export const modernForm = ({ activeAt, connectedAt }: SeenAt, joinedAt: number) => ({
  active_timestamp: activeAt ?? joinedAt,
  idle_timestamp: connectedAt,
});

/** As older clients read it: one state and since when. */
function legacyStatus({ activeAt, connectedAt }: SeenAt) {
  const isActive = activeAt !== null && activeAt + stillActiveSeconds >= connectedAt;
  return { status: isActive ? "active" : "idle", timestamp: isActive ? activeAt : connectedAt };
}

/** The entry of the `website` client, which stands for all clients. */
export const legacyClient = (seen: SeenAt) => ({ client: "website", ...legacyStatus(seen), pushable: false });

/** A person in a legacy list (`spec/seed.md`, Presence entry). */
export const legacyForm = (seen: SeenAt) => ({
  aggregated: { client: "website", ...legacyStatus(seen) },
  website: legacyClient(seen),
});

/** A person looked at alone who lets nobody see when they are there: all that is told is when the account was made. */
export const hiddenForm = (joinedAt: number) => ({
  aggregated: { status: "offline", timestamp: joinedAt },
  website: { status: "idle", timestamp: joinedAt },
});

/** A person looked at alone: only here somebody is called offline. */
export function singleForm(seen: SeenAt, now: number) {
  const status = legacyStatus(seen);
  const isOffline = now - status.timestamp > offlineSeconds;
  return { aggregated: isOffline ? { ...status, status: "offline" } : status, website: status };
}
