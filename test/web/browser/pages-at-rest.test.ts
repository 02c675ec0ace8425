import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage, topicIn } from "../browser";

/*
 * Pages that go on from one test of a file to the next, each as if it had been loaded for it. Tests
 * stand in pairs, because a page comes to rest at the end of a test: the first one leaves the page,
 * and the second one opens it again and cannot run alone.
 */

const on = stage({}, { pagesGoOn: true });

const loads = (page: Page) => page.evaluate(() => performance.timeOrigin);

let before: { page: Page; loadedAt: number } | undefined;

/** Opens a page of Alice's for the first test of a pair, and notes when it was loaded. */
async function openToLeave(fragment: string): Promise<Page> {
  before = undefined;
  const page = await on.open(on.world.alice, fragment);
  before = { page, loadedAt: await loads(page) };
  return page;
}

/** Opens the page in the second test of a pair. Tells whether the one that was left has gone on. */
async function openAgain(fragment: string) {
  expect(before).toBeDefined();
  const page = await on.open(on.world.alice, fragment);
  const hasGoneOn = page === before?.page && (await loads(page)) === before.loadedAt;
  return { page, hasGoneOn };
}

browserTest(
  "Alice leaves a notice, a dialog, a search, another size and other colours",
  async () => {
    const page = await openToLeave("#feed");
    await page.keyboard.press("/");
    await page.keyboard.type("harvest");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing was found.").first().waitFor();
    await page.evaluate((fragment) => location.assign(fragment), `${topicIn(on, "first")}/near/1`);
    await page.locator(".toast").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.setViewportSize({ width: 400, height: 600 });
    await page.emulateMedia({ colorScheme: "dark" });
  },
);

browserTest("her page goes on without them, and has what was written meanwhile", async () => {
  await on.world.bob.say("general", "second", "Written before her page is open");
  const { page, hasGoneOn } = await openAgain(topicIn(on, "second"));
  expect(hasGoneOn).toBe(true);
  expect(await page.getByRole("article").allInnerTexts()).toEqual([
    expect.stringContaining("Written before her page is open"),
  ]);
  const found = await page.evaluate(() => ({
    open: document.querySelectorAll("dialog[open], .toast").length,
    isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    size: [innerWidth, innerHeight],
  }));
  expect(found).toEqual({ open: 0, isDark: false, size: [1_280, 720] });
  await page.keyboard.press("/");
  await page.getByRole("option", { name: /^channel:/ }).waitFor();
  expect(await page.getByText("recent search").count()).toBe(0);
});

/** Ways in which a page is left so that it cannot go on. */
const left: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "a text in the box": (page) => page.locator(".compose textarea").fill("Begun"),
  "something stored": (page) => page.evaluate(() => localStorage.setItem("left", "behind")),
  "an intercepted request": (page) => page.route("**/nothing", (route) => route.abort()),
  "a replaced function": (page) =>
    page.evaluate(() => {
      const ask = window.fetch.bind(window);
      window.fetch = Object.assign((...asked: Parameters<typeof ask>) => ask(...asked), ask);
    }),
  "another tab": async () => void (await on.newTab(on.world.alice)),
  "a network that was cut": async () => on.network.cut(),
};

for (const [name, leave] of Object.entries(left)) {
  browserTest(`Alice leaves ${name}`, async () => {
    const page = await openToLeave(topicIn(on, "left"));
    await page.locator(".compose textarea").waitFor();
    await leave(page);
  });

  browserTest(`her page does not go on after ${name}`, async () => {
    const { hasGoneOn } = await openAgain(topicIn(on, "left"));
    expect(hasGoneOn).toBe(false);
  });
}

browserTest("a new tab is empty even if her page could have been reused", async () => {
  const page = await on.newTab(on.world.alice);
  expect(page.url()).toEndWith("/robots.txt");
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});
