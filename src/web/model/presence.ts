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
  return withPresences(presences, event.presences);
}

/** Presences with those that the server has answered to a report. */
export const withPresences = (presences: Presences, rows: Register["presences"]): Presences =>
  presencesOf(rows).reduce((all, [id, row]) => put(all, id, row), presences);

/** Signs that people have: they use a client, have one open, or neither. */
export type Sign = "here" | "away" | "off";

/**
 * The sign of somebody at a time in UNIX seconds, by the server's clock. Reports older than
 * `offlineSeconds` count no more.
 */
export function signOf(presence: Presence | undefined, now: number, offlineSeconds: number): Sign {
  if (presence === undefined) return "off";
  if (now - presence.active_timestamp < offlineSeconds) return "here";
  return now - presence.idle_timestamp < offlineSeconds ? "away" : "off";
}

/**
 * Whether somebody uses another client than this one: they were active after this one has last told
 * it, at `toldAt`. Times are in UNIX seconds, by the server's clock.
 */
export const isElsewhere = (
  presence: Presence | undefined,
  toldAt: number,
  now: number,
  offlineSeconds: number,
): boolean =>
  presence !== undefined &&
  presence.active_timestamp > toldAt &&
  now - presence.active_timestamp < offlineSeconds;
