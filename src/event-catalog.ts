import { type AnyEvent, isEventDefinition } from "./events/define";
import { features } from "./features";

/** Every kind of event that a queue may bring, with its fields, by the names of the features. */
export const eventCatalog: readonly AnyEvent[] = features
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  .flatMap(({ events = [] }) => events.flatMap((declared) => Object.values<unknown>(declared)))
  .filter(isEventDefinition);
