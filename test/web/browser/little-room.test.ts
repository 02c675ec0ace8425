import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { browserTest, stage } from "../browser";
import { sceneOn, settled } from "../scene-openings";

/* Parts of pages that have little room. */

const on = stage();
const openScene = sceneOn(on);

const phone = { width: 390, height: 844 };

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

for (const view of ["inbox", "recent"])
  browserTest(`on a phone the filters of ${view} take a row beside that of the words`, async () => {
    const page = await openScene(view);
    await page.setViewportSize({ width: 320, height: 640 });
    await settled(page);
    const { height } = await boxOf(page.locator(".pane .choices"));
    expect(height).toBeLessThan(110);
    for (const chip of await page.locator(".pane .choices button").all())
      expect(await isCut(chip)).toBe(false);
  });

browserTest(
  "on a phone the sections of the settings take one row, with the open one in it",
  async () => {
    const page = await openScene("inbox");
    await page.setViewportSize(phone);
    await on.openIn(page, "#settings/account");
    await settled(page);
    expect((await boxOf(page.locator(".settings nav"))).height).toBeLessThan(80);
    const open = await boxOf(page.locator(".settings nav [aria-current]"));
    expect(open.x).toBeGreaterThanOrEqual(0);
    expect(open.x + open.width).toBeLessThanOrEqual(phone.width);
  },
);

browserTest("a long channel's name on a card ends with dots, inside of its edge", async () => {
  const { alice, olga } = on.world;
  const page = await openScene("topic");
  const { body } = await alice.get("/get_stream_id", { stream: "incidents" });
  const renamed = { new_name: "Cross-departmental-quality-assurance-and-other-measures-2026" };
  expect((await olga.patch(`/streams/${body.stream_id}`, renamed)).status).toBe(200);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole("article").filter({ hasText: "Second run" }).first().focus();
  await page.keyboard.press("u");
  const chip = page.locator(".card .shared .chip", { hasText: "Cross-departmental" });
  await chip.waitFor();
  const [edge, card] = [await boxOf(chip), await boxOf(page.locator(".card .shared"))];
  expect(edge.x + edge.width).toBeLessThanOrEqual(card.x + card.width);
  const name = chip.locator("span[dir]");
  expect(await isCut(name)).toBe(true);
  expect(await name.evaluate((one) => getComputedStyle(one).textOverflow)).toBe("ellipsis");
});

browserTest("cells of a wide table keep dates and prices whole", async () => {
  const { bob, channels } = on.world;
  const cells = ["2026-12-15", "0,50/€", "12.000 Stück", "Anna-Lena Müller", "+49 30 1234567"];
  const row = `| ${[...cells, ...cells].join(" | ")} |`;
  const rule = `|${" --- |".repeat(2 * cells.length)}`;
  await bob.say("general", "prices", `${row}\n${rule}\n${row}`);
  const page = await on.open(bob, `#narrow/channel/${channels.general}-general/topic/prices`);
  await page.setViewportSize(phone);
  const heights = await page
    .locator(".rendered td")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(40);
});
