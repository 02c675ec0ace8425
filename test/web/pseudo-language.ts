import { join } from "node:path";
import type { Page } from "playwright-core";
import type { PseudoLanguage } from "./pseudo-words";

/** Has a tab read in a pseudo-language from its next page on: its file runs before the client. */
export async function readIn(page: Page, language: PseudoLanguage): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, "languages", `words-${language.toLowerCase()}.ts`)],
    target: "browser",
    format: "iife",
  });
  await page.addInitScript({ content: (await outputs[0]?.text()) ?? "" });
}
