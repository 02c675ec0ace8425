/** Copies a text to the clipboard; returns whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Browsers offer the clipboard only to pages on encrypted addresses.
    const copying = navigator.clipboard?.writeText(text);
    if (copying === undefined) return copySelected(text);
    await copying;
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Copies a text by selecting it in an invisible field. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "visually-hidden";
  field.value = text;
  // While a dialog is open, nothing outside of it can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
