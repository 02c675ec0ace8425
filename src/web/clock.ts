import { signal } from "@preact/signals";

/* The only place of the web client that asks for the time. */

/** The time, in milliseconds since the epoch. */
export const nowMilliseconds = (): number => Date.now();

const minuteMilliseconds = 60_000;

/** The time in UNIX seconds, as of the latest minute: signs of who is there follow it. */
export const minuteNow = signal(Math.floor(nowMilliseconds() / 1_000));

setInterval(() => {
  minuteNow.value = Math.floor(nowMilliseconds() / 1_000);
}, minuteMilliseconds);
