import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";
import { overflowing } from "../overflow";

/* The fields of the recipient above the text that is written. */

const on = stage();

const people = (page: Page) => page.getByRole("combobox", { name: "People" });
const topic = (page: Page) => page.getByRole("combobox", { name: "Topic" });
const channel = () => `#narrow/channel/${on.world.channels.general}-general`;

const widthMin = 160;

const widthOf = async (part: ReturnType<typeof topic>): Promise<number> =>
  (await part.boundingBox())?.width ?? 0;

for (const width of [390, 320])
  browserTest(`on a phone of ${width} px one sees the name that one types`, async () => {
    on.browsersAre({ hasTouch: true, isMobile: true });
    const { alice, bob } = on.world;
    const long = "Release notes of the second version, in all languages";
    await bob.say("general", long, "Soon.");
    const page = await on.open(alice, channel());
    await page.setViewportSize({ width, height: 420 });
    expect(await widthOf(topic(page))).toBeGreaterThan(widthMin);
    await topic(page).fill("rele");
    await page.getByRole("button", { name: "Write to this conversation" }).waitFor();
    expect(await widthOf(topic(page))).toBeGreaterThan(widthMin);
    await page.getByRole("option", { name: long }).waitFor();
    const { x, width: listWidth } = (await page.locator(".offers").boundingBox()) ?? {};
    expect(x).toBeGreaterThan(0);
    expect(Number(x) + Number(listWidth)).toBeLessThan(width);
    expect(Number(listWidth)).toBeGreaterThan(width * 0.9);
    await page.getByRole("button", { name: "Write to people" }).click();
    for (const name of ["bob", "carol"]) {
      await people(page).fill(name);
      await people(page).press("Enter");
    }
    expect(await widthOf(people(page))).toBeGreaterThan(widthMin);
    expect(await overflowing(page)).toEqual([]);
  });

