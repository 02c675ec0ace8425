import { expect } from "bun:test";
import { addManyMessages } from "../../support/many-messages";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

const on = stage();

browserTest("a reader who has chosen German reads and searches in German", async () => {
  const { carol, channels } = on.world;
  expect((await carol.patch("/settings", { default_language: "de" })).status).toBe(200);
  const page = await on.open(carol, `#narrow/channel/${channels.general}-general/topic/lunch`);
  await eventually(async () => expect(await page.locator("html").getAttribute("lang")).toBe("de"));
  await page.getByRole("button", { name: "Senden", exact: true }).waitFor();
  await page.locator("kbd", { hasText: "Strg K" }).waitFor();
  await page.locator(".hint", { hasText: "Strg Eingabe sendet" }).waitFor();
  await carol.patch("/settings", { enter_sends: true });
  await page.locator(".hint", { hasText: "Eingabe sendet, Umschalt Eingabe neue Zeile" }).waitFor();
  await page.evaluate(() => location.assign("#inbox"));
  await page.getByRole("heading", { name: "Eingang" }).waitFor();
  await page.keyboard.press("?");
  for (const keys of ["Strg S", "Umschalt Leertaste", "Pos1", "Ende", "Eingabe"])
    await page.locator("kbd", { hasText: keys }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Nachrichten suchen" }).waitFor();
});

browserTest("who chooses German has the page in German at once, where they were", async () => {
  const { alice } = on.world;
  const page = await on.open(alice, "#settings/appearance");
  await page.getByRole("combobox", { name: "Language" }).selectOption("de");
  await page.getByRole("combobox", { name: "Sprache" }).waitFor();
  expect(new URL(page.url()).hash).toBe("#settings/appearance");
  const jump = page.getByRole("button", { name: /^Suchen/ }).locator(".name");
  expect(await jump.evaluate((name) => name.getClientRects().length)).toBe(1);
  expect((await jump.boundingBox())?.height).toBeLessThan(30);
  expect(await jump.evaluate((name) => name.scrollWidth - name.clientWidth)).toBe(0);
});

browserTest(
  "counts have their digits in groups, as the reader's language writes them",
  async () => {
    const { bob } = on.world;
    expect((await bob.post("/mark_all_as_read", {})).status).toBe(200);
    await addManyMessages(on.world, 1_234);
    for (const [language, count, unread] of [
      ["en", "1,234", "1,234 messages unread"],
      ["de", "1.234", "1.234 Nachrichten ungelesen"],
    ] as const) {
      expect((await bob.patch("/settings", { default_language: language })).status).toBe(200);
      const page = await on.open(bob, "#inbox");
      const badge = page.locator('.rail a[href="#inbox"] .badge');
      const shown = badge.locator("[aria-hidden]");
      await eventually(async () => expect(await shown.innerText()).toBe(count));
      expect(await badge.textContent()).toContain(unread);
      await page.close();
    }
  },
);
