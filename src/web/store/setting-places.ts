import { signal } from "@preact/signals";
import { words } from "../words/words";

/** A place where something can be set. */
export interface SettingPlace {
  readonly name: string;
  /** Further words that it is found by. */
  readonly otherWords?: string;
  /** Address of the place: a fragment of the page, or another page of the server. */
  readonly href: string;
}

/** Places of settings that the palette leads to. */
export const settingPlaces = signal<readonly SettingPlace[]>([
  { name: words.account, href: "/account" },
]);

/** Lets the palette lead to further places; one of an address takes the place of an earlier one. */
export function addSettingPlaces(more: readonly SettingPlace[]): void {
  const hrefs = new Set(more.map(({ href }) => href));
  const others = settingPlaces.peek().filter(({ href }) => !hrefs.has(href));
  settingPlaces.value = [...others, ...more];
}
