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

const signs: readonly Sign[] = ["here", "away", "off"];

/**
 * The first of some people: those who are there, then those who are away, then the others, each in
 * an order. No more are sorted than are asked for, because names take long to compare.
 */
export function presentFirst<Person>(
  people: readonly Person[],
  signOf: (person: Person) => Sign | undefined,
  { order, most }: { order: Order<Person>; most: number },
): readonly Person[] {
  const bySign = Map.groupBy(people, (person) => signOf(person) ?? "off");
  const first: Person[] = [];
  for (const sign of signs)
    first.push(...firstOf(bySign.get(sign) ?? [], order, most - first.length));
  return first;
}

type Order<Thing> = (one: Thing, other: Thing) => number;

/** The first things in an order; each of the others is compared with the last of them. */
function firstOf<Thing>(
  things: readonly Thing[],
  order: Order<Thing>,
  most: number,
): readonly Thing[] {
  if (most <= 0) return [];
  const first = things.slice(0, most).sort(order);
  for (let index = most; index < things.length; index += 1) {
    const [thing, last] = [things[index], first.at(-1)];
    if (thing === undefined || last === undefined || order(thing, last) >= 0) continue;
    first.splice(placeOf(thing, first, order), 0, thing);
    first.pop();
  }
  return first;
}

/** Index in a sorted list before which a thing belongs. */
function placeOf<Thing>(thing: Thing, sorted: readonly Thing[], order: Order<Thing>): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other !== undefined && order(other, thing) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
