import { signal } from "@preact/signals";

/** A card about a person or a group, shown beside the element that opened it. */
export interface Card {
  readonly kind: "person" | "group";
  readonly id: number;
  readonly anchor: HTMLElement;
}

/**
 * The open card. It is in a file of its own, because the card's code is only loaded when one is
 * opened.
 */
export const shownCard = signal<Card | undefined>(undefined);

export function openCard(card: Card): void {
  shownCard.value = card;
}

/** Closes a card if it is still the open one. */
export function closeCard(card: Card): void {
  if (shownCard.value === card) shownCard.value = undefined;
}
