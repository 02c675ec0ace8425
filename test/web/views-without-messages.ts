import type { Locator, Page } from "playwright-core";

/**
 * Waits for a notice in each kind of view that shows no messages, and, on a phone, beside the list
 * of conversations. In the end the page is where it was.
 */
export async function seeWithoutMessages(page: Page, notice: Locator): Promise<void> {
  const [from, size] = [page.url(), page.viewportSize()];
  for (const view of ["inbox", "recent", "drafts", "settings"]) {
    await page.goto(`https://chat.example.com/#${view}`);
    await page.locator(".conversation > .pane").waitFor();
    await notice.waitFor();
  }
  await page.setViewportSize({ width: 400, height: 800 });
  await page.goto("https://chat.example.com/#");
  await page.locator("main.rail").waitFor();
  await notice.waitFor();
  if (size) await page.setViewportSize(size);
  await page.goto(from);
}
