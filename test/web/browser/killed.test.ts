import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";

const on = stage();

const rows = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text });

async function write(page: Page, text: string): Promise<void> {
  await page.locator("textarea").fill(text);
  await page.getByRole("button", { name: /^Send/ }).click();
}

browserTest(
  "two who talk go on after the server was killed: nothing lost, nothing twice",
  async () => {
    const { alice, bob, channels } = on.world;
    const lunch = `#narrow/channel/${channels.general}-general/topic/lunch`;
    const pages = [await on.open(alice, lunch), await on.open(bob, lunch)] as const;
    for (const page of pages) await page.evaluate("globalThis.isUntouched = true");
    const [hers, his] = pages;
    const server = await on.serveApart();
    await write(hers, "before the cut");
    await rows(his, "before the cut").waitFor();
    await server.kill();
    await write(his, "while it is down");
    await hers.locator("textarea").fill("half a sentence");
    await rows(his, "while it is down").waitFor();
    await server.start();
    await rows(hers, "while it is down").waitFor();
    await hers.getByRole("button", { name: /^Send/ }).click();
    await rows(his, "half a sentence").waitFor();
    for (const page of pages) {
      for (const text of ["before the cut", "while it is down", "half a sentence"])
        expect([text, await rows(page, text).count()]).toEqual([text, 1]);
      expect(await page.evaluate("globalThis.isUntouched")).toBe(true);
    }
  },
);
