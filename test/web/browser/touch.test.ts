import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";
import { overflowing } from "../overflow";
import { type Size, sceneOn, visitScene } from "../scene-openings";
import { smallTargets } from "../touch-targets";

/* Buttons, links and fields under a finger, on a phone and on a tablet. */

const on = stage();
const openScene = sceneOn(on);
const slowMilliseconds = 180_000;

const sizes: Readonly<Record<string, Size>> = {
  "a phone": { width: 390, height: 844 },
  "a tablet": { width: 1024, height: 768 },
  "a tablet that stands": { width: 768, height: 1024 },
};

let visiting: Promise<ReadonlyMap<Size, readonly string[]>> | undefined;

/** Faults of all views by size. They are opened once for the tests that tell of them. */
const faultsOfViews = () => {
  visiting ??= visitViews();
  return visiting;
};

async function visitViews(): Promise<ReadonlyMap<Size, readonly string[]>> {
  on.browsersAre({ hasTouch: true, isMobile: true });
  const page = await openScene("inbox");
  const faults = new Map<Size, string[]>(Object.values(sizes).map((size) => [size, []]));
  const visit = { page, world: on.world, sizes: Object.values(sizes) };
  await visitScene(visit, async (view, part, size) => {
    const wrong = [...(await smallTargets(page, part)), ...(await overflowing(page))];
    faults.get(size)?.push(...wrong.map((one) => `${view}: ${one}`));
  });
  return faults;
}

for (const [name, size] of Object.entries(sizes))
  browserTest(
    `on ${name} all that is pressed is large enough for a finger, and stands in the window`,
    async () => expect((await faultsOfViews()).get(size)).toEqual([]),
    slowMilliseconds,
  );

browserTest("under a finger the tools of code cover none of it", async () => {
  on.browsersAre({ hasTouch: true, isMobile: true });
  const { alice, channels } = on.world;
  await alice.say("general", "code", "```\nthe first line of some code, which is long\nlast\n```");
  const page = await on.open(alice, `#narrow/channel/${channels.general}-general/topic/code`);
  const tools = await page.locator(".code-tools").boundingBox();
  const code = await page.locator(".codehilite code").boundingBox();
  if (!tools || !code) throw new Error("no code, or no tools");
  expect(tools.y).toBeGreaterThanOrEqual(code.y + code.height);
});

browserTest("under a finger no key is named beside the search", async () => {
  const search = /Search or jump to/;
  const byHand = await on.open(on.world.bob, "#inbox");
  expect(await byHand.getByRole("button", { name: search }).innerText()).toContain("Ctrl K");
  on.browsersAre({ hasTouch: true, isMobile: true });
  const page = await on.open(on.world.alice, "#inbox");
  expect(await page.getByRole("button", { name: search }).innerText()).not.toContain("Ctrl K");
});

browserTest("under a finger menus name no keys", async () => {
  const { alice, bob, channels } = on.world;
  await bob.say("general", "menus", "a message with a menu");
  const topic = `#narrow/channel/${channels.general}-general/topic/menus`;
  const keysIn = async (page: Page) => {
    await page.getByRole("article").focus();
    await page.keyboard.press("i");
    return page.getByRole("menu").innerText();
  };
  expect(await keysIn(await on.open(alice, topic))).toContain("Ctrl S");
  on.browsersAre({ hasTouch: true, isMobile: true });
  expect(await keysIn(await on.open(bob, topic))).not.toContain("Ctrl S");
});
