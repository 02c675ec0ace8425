import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { staticPng } from "../../support/pictures";
import { browserTest, stage } from "../browser";
import { holdAnswer } from "../held-answer";

const on = stage();

/** Makes the page one of an older build than the server's, as after another version was started. */
const makeOld = (page: Page) =>
  page.evaluate(() => {
    document.querySelector('meta[name="build"]')?.setAttribute("content", "older");
  });

function countBeginnings(page: Page) {
  const seen = { count: 0 };
  page.on("domcontentloaded", () => {
    seen.count += 1;
  });
  return seen;
}

browserTest(
  "a page begins anew after a newer server has taken over, when nothing was typed for a minute",
  async () => {
    const { alice, bob } = on.world;
    const page = await on.open(bob, "#narrow/channel/general/topic/lunch");
    await page.clock.install();
    const beginnings = countBeginnings(page);
    const hears = async (words: string) => {
      await alice.say("general", "lunch", words);
      await page.getByRole("article").filter({ hasText: words }).waitFor();
    };
    await makeOld(page);
    await hears("Soup?");
    await page.clock.runFor(50_000);
    expect(beginnings.count).toBe(0);
    const isAnew = page.waitForEvent("domcontentloaded");
    await page.clock.runFor(30_000);
    await isAnew;
    // Servers of two builds may answer in turn: that is no reason to begin again and again.
    await makeOld(page);
    await hears("Now!");
    await page.clock.runFor(200_000);
    expect(beginnings.count).toBe(1);
  },
);

browserTest("a page does not begin anew while it uploads the picture of an emoji", async () => {
  const page = await on.open(on.world.bob, "#settings/organization");
  await page.clock.install();
  const beginnings = countBeginnings(page);
  await makeOld(page);
  await page.getByRole("button", { name: "Add an emoji" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an emoji" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("patient");
  await dialog
    .locator("input[type=file]")
    .setInputFiles([{ name: "e.png", mimeType: "image/png", buffer: Buffer.from(staticPng) }]);
  const { asked, letGo } = await holdAnswer(page, "/realm/emoji/patient");
  await dialog.getByRole("button", { name: "Add" }).click();
  await asked();
  await page.getByRole("listitem").filter({ hasText: ":patient:" }).waitFor();
  await page.clock.runFor(120_000);
  expect(beginnings.count).toBe(0);
  await letGo();
  const isAnew = page.waitForEvent("domcontentloaded");
  await page.clock.runFor(120_000);
  await isAnew;
});

browserTest("a page does not begin anew while a video plays or a dialog is open", async () => {
  const page = await on.open(on.world.bob, "#narrow/channel/general/topic/lunch");
  await page.clock.install();
  const beginnings = countBeginnings(page);
  await makeOld(page);
  await page.evaluate(() => {
    const video = document.createElement("video");
    video.srcObject = document.createElement("canvas").captureStream();
    video.muted = true;
    document.body.append(video);
    video.play().catch(() => undefined);
  });
  await on.world.alice.say("general", "lunch", "A newer server says this.");
  await page.getByRole("article").filter({ hasText: "A newer server" }).waitFor();
  await page.clock.runFor(200_000);
  expect(beginnings.count).toBe(0);
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.evaluate(() => document.querySelector("body > video")?.remove());
  await page.clock.runFor(200_000);
  expect(beginnings.count).toBe(0);
  const isAnew = page.waitForEvent("domcontentloaded");
  await page.keyboard.press("Escape");
  await page.clock.runFor(200_000);
  await isAnew;
});
