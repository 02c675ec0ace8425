import { batch, signal } from "@preact/signals";

/** The message that keys act on, by its id; undefined for none. */
export const focusedMessage = signal<number | undefined>(undefined);

/** The message that the feed is to bring into view next: another object each time. */
export const wantedMessage = signal<{ readonly id: number } | undefined>(undefined);

/** Lets keys act on a message, and brings it into view where the open feed has it. */
export function focusMessage(id: number | undefined): void {
  batch(() => {
    focusedMessage.value = id;
    wantedMessage.value = id === undefined ? undefined : { id };
  });
}
