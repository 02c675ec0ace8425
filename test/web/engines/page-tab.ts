import type { Page } from "playwright-core";
import { evaluating, type Tab } from "./tab";

/** A tab that playwright drives, which is how Chromium is tested. */
export const pageTab = (page: Page): Tab => ({
  evaluate: evaluating((expression) => page.evaluate<string>(expression)),
  async wheel(pixels) {
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, pixels);
  },
  resize: (width, height) => page.setViewportSize({ width, height }),
  back: async () => void (await page.goBack()),
  reload: async () => void (await page.reload()),
});
