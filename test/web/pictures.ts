import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../support/root";
import { browserTest, stage } from "./browser";
import { readIn } from "./pseudo-language";
import { setScene, viewsOf } from "./scene";
import { visitScene } from "./scene-openings";

/*
 * Writes pictures of every view, and of what opens above one, into `dist/pictures/`, for people to
 * look at: light, dark, from right to left, and on a phone. `make pictures` runs it; nothing
 * compares them.
 */

const on = stage();
const folder = join(root, "dist/pictures");
const forms = {
  light: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  "right-to-left": { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  phone: { viewport: { width: 390, height: 800 }, colorScheme: "light", hasTouch: true },
} as const;

const minutesMilliseconds = 300_000;

browserTest(
  "pictures of every view",
  async () => {
    const { world } = on;
    await mkdir(folder, { recursive: true });
    await setScene(world);
    for (const [form, options] of Object.entries(forms)) {
      const page = await on.open(world.alice, "#inbox");
      await page.setViewportSize(options.viewport);
      await page.emulateMedia({ colorScheme: options.colorScheme });
      if (form === "right-to-left") {
        await readIn(page, "ar-XB");
        await page.reload();
      }
      const spoken = form === "right-to-left" ? "ar-XB" : "en";
      await visitScene({ page, world, spoken }, async (name) => {
        await page.screenshot({ path: join(folder, `${name}-${form}.png`) });
      });
      await page.close();
    }
    await smallPictures();
  },
  minutesMilliseconds,
);

/** The three pictures of the README, small enough to be in the repository. */
async function smallPictures(): Promise<void> {
  const { topic, inbox } = await viewsOf(on.world);
  for (const { name, fragment, width, height, colorScheme } of [
    { name: "topic", fragment: topic, width: 1080, height: 620, colorScheme: "light" },
    { name: "inbox", fragment: inbox, width: 1280, height: 720, colorScheme: "dark" },
    { name: "phone", fragment: topic, width: 390, height: 720, colorScheme: "light" },
  ] as const) {
    const page = await on.open(on.world.alice, fragment);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
    const path = join(folder, `readme-${name}.jpg`);
    await page.screenshot({ path, type: "jpeg", quality: 46 });
    await page.close();
  }
}
