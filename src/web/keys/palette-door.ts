import { signal } from "@preact/signals";

/** The palette or the list of keys, where one is open. It stands apart, because both are loaded when they are opened. */
export const overPage = signal<"palette" | "help" | undefined>(undefined);

export function openPalette(): void {
  overPage.value = "palette";
}

export function openHelp(): void {
  overPage.value = "help";
}

export function closeOver(): void {
  overPage.value = undefined;
}
