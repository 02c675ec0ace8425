import { withEntries, withoutKeys } from "./copies";
import type { Event, Register } from "./wire";

/** When somebody was last active, and when they were last connected (UNIX seconds). */
export interface Presence {
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}

/** Presence of the people whom the person can see, by user id. */
type Presences = ReadonlyMap<number, Presence>;

/** Presences in the current form. Presences in the older form are ignored. */
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

/** Presences, merged with those from the server's answer to a report. */
export const withPresences = (presences: Presences, rows: Register["presences"]): Presences =>
  withEntries(presences, presencesOf(rows));

/** Presence states: active in a client, a client is open, or neither. */
export type Sign = "here" | "away" | "off";

/**
 * The presence state of somebody at a time (UNIX seconds of the server's clock). Reports older than
 * `offlineSeconds` are ignored, and so are reports as far in the future, because otherwise somebody
 * would seem present until that time.
 */
export function signOf(presence: Presence | undefined, now: number, offlineSeconds: number): Sign {
  if (presence === undefined) return "off";
  const isRecent = (at: number) => Math.abs(now - at) < offlineSeconds;
  if (isRecent(presence.active_timestamp)) return "here";
  return isRecent(presence.idle_timestamp) ? "away" : "off";
}

/**
 * Whether somebody is using another client than this one: they were active after this one last
 * reported (`toldAt`). Times are UNIX seconds of the server's clock.
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
