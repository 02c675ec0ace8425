import { signal } from "@preact/signals";

/** One opening of the palette or of the list of keys: each is another object. */
interface Opening {
  readonly part: "palette" | "help";
}

/** The opening that is above the page. It stands apart, because its part is loaded when opened. */
export const overPage = signal<Opening | undefined>(undefined);

export function openPalette(): void {
  overPage.value = { part: "palette" };
}

export function openHelp(): void {
  overPage.value = { part: "help" };
}

export function closeOver(): void {
  overPage.value = undefined;
}

/** Whether something was opened that has not come yet. */
export const isOverComing = (): boolean =>
  overPage.value !== undefined && document.querySelector("dialog.over") === null;
