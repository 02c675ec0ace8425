import { now } from "../clock";
import { snapshot } from "./snapshot";

/** Seconds by which the clock of the server was ahead of that of this computer, as the page came. */
const aheadSeconds = snapshot.server_timestamp - now() / 1_000;

/** The time of the server in UNIX seconds: messages are dated by it, and its limits count by it. */
export const serverSeconds = (): number => now() / 1_000 + aheadSeconds;
