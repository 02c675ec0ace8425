import { put, withoutKeys } from "./copies";
import type { Event, Register } from "./wire";

/** When somebody was last there, in UNIX seconds: active, and connected at all. */
export interface Presence {
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}

/** Presence of the people whom the person sees, by their ids. */
export type Presences = ReadonlyMap<number, Presence>;

/** Presences in today's form; those of the older one are passed over. */
const presencesOf = (rows: Register["presences"]): readonly (readonly [number, Presence])[] =>
  Object.entries<object>(rows).flatMap(([id, row]) => (isPresence(row) ? [[Number(id), row]] : []));

const isPresence = (row: object): row is Presence =>
  "active_timestamp" in row && "idle_timestamp" in row;

export const presencesFrom = ({ presences }: Register): Presences =>
  new Map(presencesOf(presences));

export function applyPresences(presences: Presences, event: Event): Presences {
  if (event.type === "realm_user" && event.op === "remove")
    return withoutKeys(presences, [event.person.user_id]);
  if (event.type !== "presence" || !("presences" in event)) return presences;
  return presencesOf(event.presences).reduce((all, [id, row]) => put(all, id, row), presences);
}

/** Whether somebody is there, was a short while ago, or is away. */
export type Standing = "active" | "idle" | "offline";

/**
 * Standing of somebody at a time in UNIX seconds; `offlineSeconds` is what the server says for who
 * is not heard of (`server_presence_offline_threshold_seconds`).
 */
export function standingOf(
  presence: Presence | undefined,
  now: number,
  offlineSeconds: number,
): Standing {
  if (!presence) return "offline";
  if (now - presence.active_timestamp < offlineSeconds) return "active";
  return now - presence.idle_timestamp < offlineSeconds ? "idle" : "offline";
}
