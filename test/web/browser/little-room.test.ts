import { expect } from "bun:test";
import { browserTest, stage } from "../browser";
import { sceneOn } from "../scene-openings";

/* Parts of pages that have little room. */

const on = stage();
const openScene = sceneOn(on);

browserTest("the ring of focus around a preview covers nothing above or below it", async () => {
  const page = await openScene("topic");
  await page.locator(".compose textarea").fill("@**all** hello");
  await page.locator(".compose textarea").press("Alt+p");
  await page.waitForFunction(() => document.activeElement?.matches(".preview"));
  const ring = await page.locator(".preview").evaluate((one) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(one);
    return Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
  });
  expect(ring).toBeLessThanOrEqual(0);
});
