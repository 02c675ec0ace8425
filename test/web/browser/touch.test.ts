import { expect } from "bun:test";
import { browserTest, stage } from "../browser";
import { sceneOn, visitScene } from "../scene-openings";
import { smallTargets } from "../touch-targets";

/* Buttons, links and fields under a finger, on a phone and on a tablet. */

const on = stage();
const openScene = sceneOn(on);
const slowMilliseconds = 180_000;

for (const [name, size] of Object.entries({
  "a phone": { width: 390, height: 844 },
  "a tablet": { width: 1024, height: 768 },
}))
  browserTest(
    `on ${name} all that is pressed is large enough for a finger`,
    async () => {
      on.browsersAre({ hasTouch: true, isMobile: true });
      const page = await openScene("inbox");
      await page.setViewportSize(size);
      const small: string[] = [];
      await visitScene(page, on.world, async (view, part) => {
        for (const target of await smallTargets(page, part)) small.push(`${view}: ${target}`);
      });
      expect(small).toEqual([]);
    },
    slowMilliseconds,
  );
