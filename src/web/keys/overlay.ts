import { signal } from "@preact/signals";

/** One opening of the palette or of the list of keys. Each is a new object. */
interface Opening {
  readonly part: "palette" | "help";
}

/**
 * The open palette or list of keys. It is in a file of its own, because their code is only loaded
 * when one is opened.
 */
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

/** Whether something was opened whose code is still being loaded. */
export const isOverlayComing = (): boolean =>
  overlay.value !== undefined && document.querySelector("dialog.overlay") === null;
