import { batch, signal } from "@preact/signals";

/** The id of the message on which keys act; undefined if there is none. */
export const focusedMessage = signal<number | undefined>(undefined);

/** The message that the feed must scroll to next. Each request is a new object. */
export const wantedMessage = signal<{ readonly id: number } | undefined>(undefined);

/** Makes a message the one on which keys act, and scrolls to it if the open feed has it. */
export function focusMessage(id: number | undefined): void {
  batch(() => {
    focusedMessage.value = id;
    wantedMessage.value = id === undefined ? undefined : { id };
  });
}
