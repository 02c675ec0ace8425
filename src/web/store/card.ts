import { signal } from "@preact/signals";

/** A card of somebody, or of a group, beside the element that it was opened at. */
export interface Card {
  readonly kind: "person" | "group";
  readonly id: number;
  readonly anchor: HTMLElement;
}

/** The card that is open. It stands apart, because its part is loaded when one is opened. */
export const shownCard = signal<Card | undefined>(undefined);

export function openCard(card: Card): void {
  shownCard.value = card;
}

/** Closes a card, if it is still the one that is open. */
export function closeCard(card: Card): void {
  if (shownCard.value === card) shownCard.value = undefined;
}
