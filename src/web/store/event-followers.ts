import type { Event } from "../model/wire";

type Follower = (events: readonly Event[]) => void;

const followers = new Set<Follower>();

/** Calls back with all events that come from now on, as soon as the model has followed them. */
export const onEvents = (follower: Follower): void => void followers.add(follower);

/** Hands events on to parts of the client that are loaded later than the first ones come. */
export function applyToFollowers(events: readonly Event[]): void {
  for (const follower of followers) follower(events);
}

const renewals = new Set<() => void>();

/** Calls back after events were missed, as soon as the model has its new state. */
export const onMissedEvents = (renew: () => void): void => void renewals.add(renew);

/** Has the parts that follow events ask anew for what they have asked for. */
export function renewFollowers(): void {
  for (const renew of renewals) renew();
}
