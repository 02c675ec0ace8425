import { signal } from "@preact/signals";

/** The message that keys act on, by its id; undefined for none. Its feed brings it into view. */
export const focusedMessage = signal<number | undefined>(undefined);
