import { now } from "../clock";
import { snapshot } from "./snapshot";

/** Seconds by which the server's clock was ahead of this computer's when the page was loaded. */
const aheadSeconds = snapshot.server_timestamp - now() / 1_000;

/** The server's time (UNIX seconds). Dates and time limits of messages depend on it. */
export const serverSeconds = (): number => now() / 1_000 + aheadSeconds;
