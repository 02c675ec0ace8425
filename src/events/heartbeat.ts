import { event } from "./define";

/**
 * Answer to a poll during which nothing has happened, so that the connection is not taken for
 * broken. Not stored.
 */
export const heartbeat = event("heartbeat", undefined, {});
