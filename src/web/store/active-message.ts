import { signal } from "@preact/signals";

/** The message under the pointer. */
export const hovered = signal<number | undefined>(undefined);
/** The message that has the focus, if it got there by keyboard. */
export const focused = signal<number | undefined>(undefined);
/** The message whose menu or picker is open. */
export const pinned = signal<number | undefined>(undefined);
