import { signal } from "@preact/signals";
import { snapshot } from "./snapshot";

/**
 * The event queue of this page, which may belong to another tab. Messages are sent with its id, so
 * that their events contain their local ids.
 */
export const queueId = signal(snapshot.queue_id);

/**
 * Whether this tab polls for all tabs of the person. Then it also does what must be done only once,
 * such as showing notifications.
 */
export const isPolling = signal(false);
