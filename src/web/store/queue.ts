import { signal } from "@preact/signals";
import { snapshot } from "./snapshot";

/**
 * The queue that brings the events of this page, which may be that of another tab. Messages are sent
 * with its id, so that their events tell their local ids.
 */
export const queueId = signal(snapshot.queue_id);

/**
 * Whether this tab is the one that polls for all tabs of the person: it does what is to be done once,
 * such as showing notifications.
 */
export const isPolling = signal(false);
