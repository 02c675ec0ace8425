import { event } from "./define";

/**
 * Answer to a poll without events, so that clients do not take the connection for broken. Not
 * stored.
 */
export const heartbeat = event("heartbeat", undefined, {});
