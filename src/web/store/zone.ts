import { signal } from "@preact/signals";

/** The time between two looks at the zone, because browsers do not tell of its change. */
const stepMilliseconds = 15_000;

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The time zone of the device. It changes while the page is open, for example on a journey. Forms
 * of dates must be made anew then, because each keeps the zone in which it was made.
 */
export const zone = signal(zoneHere());

const follow = () => {
  zone.value = zoneHere();
};
setInterval(follow, stepMilliseconds);
document.addEventListener("visibilitychange", follow);
