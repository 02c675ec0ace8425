import { signal } from "@preact/signals";
import { serverNow } from "./server-time";
import { zone } from "./zone";

/**
 * The time between two looks at the clock, so that the day is right after the computer slept, too.
 */
const stepMilliseconds = 15_000;

/**
 * The beginning of today by the server's clock, in the reader's time zone (milliseconds since
 * 1970).
 */
export const today = signal(beginning());

function beginning(): number {
  return serverNow().setHours(0, 0, 0, 0);
}

const follow = () => {
  today.value = beginning();
};
setInterval(follow, stepMilliseconds);
zone.subscribe(follow);
