import { describe, expect } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { root } from "../../support/source-tree";
import { breachesIn } from "../axe";
import { browserTest, stage } from "../browser";
import { readIn } from "../pseudo-language";
import { setScene, viewsOf } from "../scene";
import { eventually } from "../waiting";

/* The look of the client in a browser: by the pages that it was drawn on first, and for everyone. */

const on = stage();
const origin = "https://chat.example.com";
const desktop = { width: 1440, height: 900 };
const slowMilliseconds = 120_000;

let isSet = false;

/** Opens alice's browser at the scene, which is set once for the file. */
async function openScene(fragment: keyof Awaited<ReturnType<typeof viewsOf>>) {
  if (!isSet) await setScene(on.world);
  isSet = true;
  const views = await viewsOf(on.world);
  const page = await on.open(on.world.alice, views[fragment]);
  await page.setViewportSize(desktop);
  await settled(page);
  return { page, views };
}

/** Waits until the messages, or the conversations, of a view have come. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !document.querySelector("[aria-busy=true]") &&
      document.querySelector(".pane, .rows, .rail nav") !== null,
  );
}

type Box = readonly [x: number, y: number, width: number, height: number];

/** Positions and sizes in the drawing, in pixels; a position or width that its words decide is left out. */
const drawn: readonly [selector: string, box: readonly (number | undefined)[]][] = [
  [".rail", [0, 0, 276, 900]],
  [".org .mark", [16, 14, 28, 28]],
  [".org .tool", [233, 13, 30, 30]],
  [".jump", [12, 56, 251, 34]],
  [".jump .icon", [23, 65, 16, 16]],
  [".rail nav .line", [8, 102, 259, 30]],
  [".rail nav .line .icon", [18, 109, 16, 16]],
  [".rail nav .line .name", [44, 106.5, undefined, 21]],
  [".rail nav .badge", [undefined, 108, undefined, 18]],
  [".rail h2", [8, undefined, 259, 38]],
  [".rail .face .avatar", [18, undefined, 22, 22]],
  [".rail .face + .name", [50, undefined, undefined, 21]],
  [".rail .presence", [35, undefined, 8, 8]],
  [".rail .topics", [25, undefined, 242, undefined]],
  [".rail .topics .line", [36, undefined, 231, 28]],
  [".rail .topics .name", [46, undefined, undefined, 19.5]],
  [".rail .spot", [18, undefined, 16, 16]],
  [".head", [276, 0, 928, 56]],
  [".head .channel .icon", [300, 19.5, 16, 16]],
  [".head .chip", [undefined, 13.5, undefined, 28]],
  [".head .end .tool", [undefined, 12.5, 30, 30]],
  [".side", [1204, 0, 236, 900]],
  [".side h2", [1213, 0, 219, 56]],
  [".side h3", [1213, 56, 219, 34]],
  [".side .line", [1213, 90, 219, 30]],
  [".side .face .avatar", [1223, 94, 22, 22]],
  [".row.first", [276, undefined, 928, undefined]],
  [".row.first .avatar", [303, undefined, 36, 36]],
  [".row.first header b", [351, undefined, undefined, 20.3]],
  [".row.first .content", [351, undefined, 736, undefined]],
  [".compose", [300, undefined, 880, undefined]],
  [".compose textarea", [301, undefined, 878, undefined]],
  [".send", [undefined, 845, undefined, 32]],
];

browserTest(
  "rail, head, row and box are where they were drawn, within a pixel",
  async () => {
    const { page } = await openScene("topic");
    const stray: string[] = [];
    for (const [selector, box] of drawn) {
      const found: Box | undefined = await page.evaluate((of) => {
        const rect = document.querySelector(of)?.getBoundingClientRect();
        return rect && ([rect.x, rect.y, rect.width, rect.height] as const);
      }, selector);
      const isThere = box.every(
        (value, index) => value === undefined || Math.abs((found?.[index] ?? -999) - value) <= 1,
      );
      if (!isThere) stray.push(`${selector}: ${found} in place of ${box}`);
    }
    expect(stray).toEqual([]);
  },
  slowMilliseconds,
);

/** Parts of results that are drawn in the mock page too. */
const partsOfResults = [
  ".head",
  ".search",
  ".search .field",
  ".search .chip",
  ".search > .tool",
  ".head .end .tool",
  ".feed",
  ".recipient",
  ".recipient .icon",
  ".recipient .place",
  ".row",
  ".row .avatar",
  ".row header b",
  ".row .content",
  ".highlight",
  "article:last-of-type .recipient",
  "article:last-of-type .row",
];

/** Positions and sizes of the first of each of some parts. */
const boxesOf = (page: Page, selectors: readonly string[]) =>
  page.evaluate(
    (all) =>
      all.map((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return box ? [box.x, box.y, box.width, box.height] : [];
      }),
    [...selectors],
  );

browserTest(
  "results of a search are where the mock page has them, within a pixel",
  async () => {
    const { page } = await openScene("search");
    await page.getByRole("article").nth(1).waitFor();
    await page.getByRole("button", { name: "Search everywhere" }).waitFor();
    const shown = await boxesOf(page, partsOfResults);
    await page.goto(pathToFileURL(join(root, "docs/web/mock/search.html")).href);
    const inMock = await boxesOf(page, partsOfResults);
    const stray = partsOfResults.filter((_, index) => {
      const [one = [], other = []] = [shown[index], inMock[index]];
      return one.length === 0 || one.some((value, at) => Math.abs(value - (other[at] ?? 0)) > 1);
    });
    expect(stray.map((part) => [part, shown[partsOfResults.indexOf(part)]])).toEqual([]);
  },
  slowMilliseconds,
);

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  browserTest(
    "no view has a barrier that axe finds",
    async () => {
      const { page, views } = await openScene("inbox");
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const found: string[] = [];
      for (const [name, fragment] of Object.entries(views)) {
        await page.goto(`${origin}/${fragment}`);
        await settled(page);
        for (const barrier of await breachesIn(page)) found.push(`${name}: ${barrier}`);
      }
      for (const key of ["Control+k", "?"]) {
        await page.keyboard.press(key);
        await page.getByRole("dialog").waitFor();
        for (const barrier of await breachesIn(page)) found.push(`${key}: ${barrier}`);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      expect(found).toEqual([]);
    },
    slowMilliseconds,
  );
});

/** Parts of a page that stand out of it to the side, which would have to be scrolled to. */
const overflowing = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll("body *")]
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return right > clientWidth + 1 || left < -1;
      })
      .map((element) => `${element.className}: ${element.textContent?.slice(0, 40)}`);
  });

/** Each view at a size, with what stands out of it. */
async function overflowOf(page: Page, views: Record<string, string>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, fragment] of Object.entries(views)) {
    await page.goto(`${origin}/${fragment}`);
    await settled(page);
    for (const part of await overflowing(page)) found.push(`${name}: ${part}`);
  }
  return found;
}

describe("a narrow screen", () => {
  const sizes = {
    "of 320 px": { width: 320, height: 640 },
    "at 400 %": { width: 320, height: 225 },
  };
  for (const [name, size] of Object.entries(sizes))
    browserTest(
      `${name} scrolls in one direction only`,
      async () => {
        const { page, views } = await openScene("inbox");
        await page.setViewportSize(size);
        expect(await overflowOf(page, views)).toEqual([]);
      },
      slowMilliseconds,
    );

  browserTest("shows one pane at a time, and Back leads to the conversations", async () => {
    const { page } = await openScene("topic");
    await page.setViewportSize({ width: 390, height: 800 });
    await eventually(async () => expect(await page.locator(".rail").count()).toBe(0));
    await page.getByRole("link", { name: "Back to conversations" }).click();
    await page.locator(".rail").waitFor();
    await eventually(async () => expect(await page.locator(".conversation").count()).toBe(0));
    await page.getByRole("link", { name: "Recent" }).click();
    await page.getByRole("heading", { level: 1, name: "Recent" }).waitFor();
  });

  browserTest("shows people above the messages, until they are closed", async () => {
    const { page } = await openScene("topic");
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole("button", { name: "Show people" }).click();
    const people = page.getByRole("complementary", { name: "People" });
    await people.getByRole("link", { name: "Chen Wei" }).waitFor();
    await people.getByRole("button", { name: "Close people" }).click();
    await people.waitFor({ state: "detached" });
  });
});

browserTest(
  "from right to left the rail stands at the right, and nothing stands out",
  async () => {
    const { page, views } = await openScene("topic");
    await readIn(page, "ar-XB");
    await page.reload();
    await settled(page);
    const right = await page.evaluate(
      () => document.querySelector(".rail")?.getBoundingClientRect().right,
    );
    expect(right).toBe(desktop.width);
    expect(await overflowOf(page, views)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await overflowOf(page, views)).toEqual([]);
  },
  slowMilliseconds,
);

browserTest(
  "words that are 40 % longer find their place",
  async () => {
    const { page, views } = await openScene("topic");
    await readIn(page, "en-XA");
    await page.reload();
    await page.getByText("Mentions···").waitFor();
    expect(await overflowOf(page, views)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await overflowOf(page, views)).toEqual([]);
  },
  slowMilliseconds,
);

browserTest("with forced colours the current line and the badges keep an edge", async () => {
  const { page } = await openScene("inbox");
  await page.emulateMedia({ forcedColors: "active" });
  const width = await page.evaluate(() => {
    const line = document.querySelector(".rail [aria-current]");
    return line && getComputedStyle(line).outlineWidth;
  });
  expect(width).toBe("2px");
});
