/** Copies a text; answers whether the browser did. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Browsers have a clipboard for pages on encrypted addresses only.
    const copying = navigator.clipboard?.writeText(text);
    if (copying === undefined) return copySelected(text);
    await copying;
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Copies a text as a person would: from a field that nobody sees, where all of it is selected. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "visually-hidden";
  field.value = text;
  // An open dialog lets nothing outside it be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
