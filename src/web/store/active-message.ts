import { signal } from "@preact/signals";

/** Message that the pointer is over. */
export const hovered = signal<number | undefined>(undefined);
/** Message that the focus is in, where it was brought there by keyboard. */
export const focused = signal<number | undefined>(undefined);
/** Message whose menu or picker is open. */
export const pinned = signal<number | undefined>(undefined);
