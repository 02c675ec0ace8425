import { signal } from "@preact/signals";
import { type ConversationFilter, noFilter } from "../model/conversation-filter";

/* Filters of lists of conversations, which stay while the person moves about. */

export const recentFilter = signal<ConversationFilter>(noFilter);
export const inboxFilter = signal<ConversationFilter>(noFilter);

/** Whether the list of recent conversations shows muted ones. */
export const areMutedShown = signal(false);
