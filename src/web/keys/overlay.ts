import { signal } from "@preact/signals";

/** One opening of the palette or of the list of keys: each is another object. */
interface Opening {
  readonly part: "palette" | "help";
}

/** The opening that is above the page. It stands apart, because its part is loaded when opened. */
export const overlay = signal<Opening | undefined>(undefined);

export function openPalette(): void {
  overlay.value = { part: "palette" };
}

export function openHelp(): void {
  overlay.value = { part: "help" };
}

export function closeOverlay(): void {
  overlay.value = undefined;
}

/** Whether something was opened that has not come yet. */
export const isOverlayComing = (): boolean =>
  overlay.value !== undefined && document.querySelector("dialog.overlay") === null;
