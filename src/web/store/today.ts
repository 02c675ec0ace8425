import { signal } from "@preact/signals";
import { now } from "../clock";

/** The day follows the clock that often: after a sleep, too. */
const stepMilliseconds = 15_000;

/** Milliseconds since 1970 at which today begins, where the reader is. */
export const today = signal(beginning());

function beginning(): number {
  return new Date(now()).setHours(0, 0, 0, 0);
}

setInterval(() => {
  today.value = beginning();
}, stepMilliseconds);
