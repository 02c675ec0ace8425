import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { browserTest, stage } from "../browser";
import { sceneOn, settled } from "../scene-openings";

/* Parts of pages that have little room. */

const on = stage();
const openScene = sceneOn(on);

const boxOf = async (part: Locator) => {
  const box = await part.first().boundingBox();
  if (!box) throw new Error("a part is not there");
  return box;
};

/** Whether some of the text of a part, with its padding, is not shown. */
const isCut = (part: Locator) =>
  part.evaluate((one) => one.scrollWidth > one.clientWidth || one.clientWidth === 0);

/** A topic of which the name does not fit into the head of a page. */
async function openLongTopic(page: Page): Promise<void> {
  const topic = "A very long topic about quality in all of our departments";
  await on.world.bob.say("engineering", topic, "Here.");
  const { body } = await on.world.alice.get("/get_stream_id", { stream: "engineering" });
  await on.openIn(page, `#narrow/channel/${body.stream_id}/topic/${topic}`);
  await page.getByText("Here.").first().waitFor();
}

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

browserTest(
  "a long topic leaves the sign before it whole, and no edge of what is hidden",
  async () => {
    const page = await openScene("topic");
    await openLongTopic(page);
    await page.setViewportSize({ width: 1_024, height: 768 });
    await settled(page);
    expect(await isCut(page.locator(".head .sep"))).toBe(false);
    const about = page.locator(".head .about > span");
    expect(await about.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goBack();
    await about.waitFor();
  },
);

browserTest("on a phone the sign between channel and topic has no line of its own", async () => {
  const page = await openScene("topic");
  await openLongTopic(page);
  await on.openIn(page, "#feed");
  await page.setViewportSize({ width: 320, height: 640 });
  await settled(page);
  const lines = page.locator(".recipient:has(.channel)");
  expect(await lines.count()).toBeGreaterThan(1);
  for (const line of await lines.all()) {
    const [channel, sign] = [
      await boxOf(line.locator(".channel")),
      await boxOf(line.locator(".sep")),
    ];
    expect(sign.y).toBeGreaterThanOrEqual(channel.y);
    expect(sign.y + sign.height).toBeLessThanOrEqual(channel.y + channel.height);
  }
});
