import { expect } from "bun:test";
import { browserTest, origin, stage } from "../browser";
import { strayFrom } from "../mock-pages";
import { desktop } from "../scene-openings";

/* Pages that somebody sees first, by those that they were drawn on. */

const on = stage();
const slowMilliseconds = 60_000;

browserTest(
  "first: the first view of an administrator is where its page has it, within a pixel",
  async () => {
    const page = await on.open(on.world.adam, "#inbox");
    await page.setViewportSize(desktop);
    await page.keyboard.press("w");
    await page.locator(".side").waitFor({ state: "detached" });
    const parts = [
      ".head",
      ".head h1",
      ".pane",
      ".steps",
      ".steps h2",
      ".steps > p",
      ".step",
      ".step .spot",
      ".step b",
      ".step p",
      ".step .choices",
      ".step + .step",
      ".step + .step .field",
    ];
    expect(await strayFrom(page, "first", { parts })).toEqual([]);
  },
  slowMilliseconds,
);

browserTest(
  "sign-in: the login page is where its page has it, within a pixel",
  async () => {
    const page = await on.openOutside();
    await page.setViewportSize(desktop);
    await page.goto(`${origin}/login`);
    const parts = [
      "body > .mark",
      "main h1",
      "form p",
      "form p input",
      "form p + p input",
      "form button",
    ];
    expect(await strayFrom(page, "sign-in", { parts })).toEqual([]);
  },
  slowMilliseconds,
);
