import { now } from "../clock";
import { snapshot } from "./snapshot";

/** Seconds by which the server's clock is ahead of this computer's, as it told last. */
let aheadSeconds = snapshot.server_timestamp - now() / 1_000;

/** The server's time (UNIX seconds). Dates and time limits of messages depend on it. */
export const serverSeconds = (): number => now() / 1_000 + aheadSeconds;

/**
 * Takes in the server's time (UNIX seconds), which the server has told just now. The clock of a
 * computer may be corrected while the page is open.
 */
export function noteServerTime(seconds: number): void {
  aheadSeconds = seconds - now() / 1_000;
}
