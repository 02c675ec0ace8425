import { signal } from "@preact/signals";
import { snapshot } from "./snapshot";

/**
 * The queue that brings the events of this page, which may be that of another tab. Messages are sent
 * with its id, so that their events tell their local ids.
 */
export const queueId = signal(snapshot.queue_id);

/**
 * Whether this tab asks for the events, and so does what one tab of the person does for all of them.
 * Without locks each tab does.
 */
export const isPolling = signal(false);
