import type { Sign } from "./presence";

const signs: readonly Sign[] = ["here", "away", "off"];

/**
 * The first of many people: people who are online, then people who are away, then all others; each
 * group is sorted. It sorts no more people than needed, because comparing names is slow.
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

/** The first things in an order. Each further thing is compared with the last of them only. */
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

/** The index at which a thing belongs into a sorted list. */
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
