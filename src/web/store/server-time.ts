import { now } from "../clock";
import { snapshot } from "./snapshot";

/** Seconds by which the server's clock is ahead of this computer's, as far as this page knows. */
let aheadSeconds = snapshot.server_timestamp - now() / 1_000;

/** The server's time (UNIX seconds). Dates and time limits of messages depend on it. */
export const serverSeconds = (): number => now() / 1_000 + aheadSeconds;

/** The server's time as a date. */
export const serverNow = (): Date => new Date(serverSeconds() * 1_000);

/**
 * Seconds by which the server's clock is ahead of this computer's. Other tabs are told this and not
 * the time, because a tab that was frozen hears of it hours later.
 */
export const serverAhead = (): number => aheadSeconds;

/** Takes in what another tab of this computer knows of the server's clock. */
export function noteServerAhead(seconds: number): void {
  aheadSeconds = seconds;
}

/**
 * Takes in the server's time (UNIX seconds) from an answer that has just come. The clock of a
 * computer may be corrected while the page is open. The server wrote the time after `askedAt`
 * (this computer's clock, in milliseconds). So an answer that is late, for example because the
 * computer slept, leaves a clock that agrees with it.
 */
export function noteServerTime(seconds: number, askedAt: number): void {
  const [least, most] = [seconds - now() / 1_000, seconds - askedAt / 1_000];
  aheadSeconds = Math.max(least, Math.min(aheadSeconds, most));
}
