import { copyText } from "../parts/copying";
import { words } from "../words/words";

const copiedMilliseconds = 2_000;

/** Copies the code whose copy button was pressed. */
export async function copyCode({ target }: Event): Promise<void> {
  const button = target instanceof Element ? target.closest(".code-tools .copy") : null;
  const code = button?.closest(".codehilite")?.querySelector("code, pre");
  if (!button || !code) return;
  const isCopied = await copyText(code.textContent ?? "");
  button.textContent = isCopied ? words.copied : words.notCopied;
  setTimeout(() => {
    button.textContent = words.copyCode;
  }, copiedMilliseconds);
}
