import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

/* Lists of offers above a field, in windows that are too low for them. */

const on = stage();

const aboveKeyboard = { width: 390, height: 420 };
const topics = ["release 1", "release 2", "release 3", "release 4", "release 5", "release 6"];
const channel = () => `#narrow/channel/${on.world.channels.general}-general`;

/** Whether a part is seen, and what lies at its middle is in it. */
const expectInSight = (part: Locator) =>
  eventually(async () =>
    expect(
      await part.evaluate((element) => {
        const { x, y, width, height, top, bottom } = element.getBoundingClientRect();
        const isWhole = top >= 0 && bottom <= innerHeight;
        return (
          isWhole && element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
        );
      }),
    ).toBe(true),
  );

const isOver = async (list: Locator, field: Locator) => {
  const [above, below] = [await list.boundingBox(), await field.boundingBox()];
  if (!above || !below) throw new Error("no list, or no field");
  return above.y + above.height > below.y && above.y < below.y + below.height;
};

const chosen = (page: Page) => page.locator(".offers [aria-selected=true]");

browserTest("in a low window the chosen offer of the box is in sight, by arrows too", async () => {
  const page = await on.open(on.world.alice, `${channel()}/topic/lunch`);
  await page.setViewportSize(aboveKeyboard);
  const box = page.locator(".compose textarea");
  await box.pressSequentially("@");
  await page.getByRole("option").nth(7).waitFor();
  await expectInSight(chosen(page));
  for (const key of ["ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"]) {
    await box.press(key);
    await expectInSight(chosen(page));
  }
  await page.setViewportSize({ width: 390, height: 330 });
  await expectInSight(chosen(page));
  expect(await isOver(page.locator(".offers"), box)).toBe(false);
});

browserTest("in a low window the first topic that is offered is in sight", async () => {
  const { alice, bob } = on.world;
  for (const topic of topics) await bob.say("general", topic, "Soon.");
  const page = await on.open(alice, channel());
  await page.setViewportSize({ width: 390, height: 300 });
  const field = page.getByRole("combobox", { name: "Topic" });
  await field.fill("rel");
  await page.getByRole("option").nth(5).waitFor();
  await field.press("ArrowDown");
  await expectInSight(chosen(page));
  await field.press("ArrowUp");
  await field.press("ArrowUp");
  await expectInSight(chosen(page));
});

browserTest("in a low window offers do not cover a message that is changed", async () => {
  const { alice } = on.world;
  await alice.say("general", "changes", "Ask");
  const page = await on.open(alice, `${channel()}/topic/changes`);
  await page.setViewportSize(aboveKeyboard);
  await page.locator(".compose textarea").press("ArrowUp");
  const box = page.getByRole("textbox", { name: "Text of the message" });
  await box.pressSequentially(" @");
  await page.getByRole("option").nth(7).waitFor();
  await expectInSight(chosen(page));
  await box.press("ArrowUp");
  await expectInSight(chosen(page));
  expect(await isOver(page.locator(".offers"), box)).toBe(false);
});
