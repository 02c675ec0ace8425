import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";

/* Tables, formulas and code of messages, on a phone and in text from right to left. */

const on = stage({}, { pagesGoOn: true });

async function openOnPhone(topic: string): Promise<Page> {
  const { general } = on.world.channels;
  const page = await on.open(on.world.bob, `#narrow/channel/${general}-general/topic/${topic}`);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.locator(".rail").waitFor({ state: "detached" });
  await page.locator(".feed .rendered").first().waitFor();
  return page;
}

/** Width of what stands in an element beyond its own. */
const hiddenWidth = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

browserTest("what is copied has names and words, without the initials of drawn faces", async () => {
  await on.world.alice.say("general", "copied", "Take this.");
  const page = await openOnPhone("copied");
  const row = page.getByRole("article").filter({ hasText: "Take this." });
  const initials = await row.locator(".avatar").innerText();
  const copied = await row.evaluate((element) => {
    getSelection()?.selectAllChildren(element);
    return String(getSelection()).split(/\s*\n\s*/);
  });
  expect(copied).toContain("Take this.");
  expect(copied).not.toContain(initials);
});

browserTest("a wide table keeps its words whole on a phone and scrolls by itself", async () => {
  const cells = (text: string) => `| ${Array(8).fill(text).join(" | ")} |`;
  const table = [cells("name"), cells("---"), cells("measured")].join("\n");
  await on.world.alice.say("general", "table", table);
  const page = await openOnPhone("table");
  const lines = await page.locator("td").evaluateAll((all) =>
    all.map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    }),
  );
  expect(lines).toEqual(Array(8).fill(1));
  expect(await hiddenWidth(page, ".rendered table")).toBeGreaterThan(0);
  expect(await hiddenWidth(page, ".feed")).toBe(0);
  await page.emulateMedia({ media: "print" });
  // Borders that touch count as one pixel.
  expect(await hiddenWidth(page, ".rendered table")).toBeLessThan(2);
});

browserTest("a long formula scrolls in its message, and the messages do not", async () => {
  const sum = [..."abcdefghijklmnopqrstuvwxyz"].join("+");
  await on.world.alice.say("general", "sum", `It is $$${sum}+${sum}$$.`);
  const page = await openOnPhone("sum");
  expect(await hiddenWidth(page, ".rendered")).toBeGreaterThan(0);
  expect(await hiddenWidth(page, ".feed")).toBe(0);
});

browserTest("code in a text from right to left reads from left to right", async () => {
  const { alice } = on.world;
  await alice.say("general", "rtl", "שלום `foo(bar);` עולם\n\n```js\nif (a) run(); // why?\n```");
  const page = await openOnPhone("rtl");
  const places = await page.locator(".rendered code").evaluateAll((all) =>
    all.map((code) => {
      const letters = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      const lefts: number[] = [];
      for (let node = letters.nextNode(); node; node = letters.nextNode())
        for (let at = 0; at < (node.textContent ?? "").trimEnd().length; at += 1) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          lefts.push(range.getBoundingClientRect().left);
        }
      return lefts;
    }),
  );
  expect(places.length).toBe(2);
  for (const lefts of places) expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
  const left = (selector: string) =>
    page.locator(selector).evaluate((one) => one.getBoundingClientRect().left);
  expect((await left("pre code")) - (await left("pre"))).toBeLessThan(20);
});
