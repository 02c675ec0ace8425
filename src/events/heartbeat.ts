import { event } from "./define";

/**
 * Answer to a poll without events, so that clients do not consider the connection broken. It is not
 * stored.
 */
export const heartbeat = event("heartbeat", undefined, {});
