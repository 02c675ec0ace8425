import type { Event } from "../model/wire";

type Follower = (events: readonly Event[]) => void;

const followers = new Set<Follower>();

/** Calls a function with all events from now on, after the model has applied them. */
export const onEvents = (follower: Follower): void => void followers.add(follower);

/** Hands events to parts of the client that are loaded after the first events arrive. */
export function applyToFollowers(events: readonly Event[]): void {
  for (const follower of followers) follower(events);
}

const renewals = new Set<() => void>();

/** Calls a function after events were missed, as soon as the model has its new state. */
export const onMissedEvents = (renew: () => void): void => void renewals.add(renew);

/** Lets the parts that follow events load their data again. */
export function renewFollowers(): void {
  for (const renew of renewals) renew();
}
