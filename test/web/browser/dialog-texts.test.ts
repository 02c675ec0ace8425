import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { keys as german } from "../../../src/web/words/de/keys";
import { keys as english } from "../../../src/web/words/en/keys";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

/* Texts that somebody types into a dialog stay, though it is closed and the page loads anew. */

const on = stage();
const slowMilliseconds = 60_000;

type Commands = typeof english.commands;

const field = (page: Page) => page.locator("dialog.dialog :is(input[type=text], textarea)").first();

/** Dialogs that the palette opens, by the names of their commands. */
const dialogs = ["status", "newChannel", "newPoll", "remind", "report"] as const;

async function open(page: Page, command: string): Promise<void> {
  await page.getByRole("article").first().focus();
  await page.keyboard.press("Control+k");
  await page.locator("dialog.palette input").fill(command);
  await page.keyboard.press("Enter");
  await field(page).waitFor();
}

async function close(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.locator("dialog.dialog").waitFor({ state: "detached" });
}

async function expectTexts(page: Page, commands: Commands): Promise<void> {
  for (const name of dialogs) {
    await open(page, commands[name]);
    await eventually(async () => expect(await field(page).inputValue()).toBe(`begun ${name}`));
    await close(page);
  }
}

browserTest(
  "texts of dialogs outlive their closing, and a page that comes in another language",
  async () => {
    const { alice, olga, channels } = on.world;
    await olga.patch("/realm", { moderation_request_channel_id: channels.secret });
    await olga.say("general", "lunch", "Soup at noon?");
    const page = await on.open(alice, `#narrow/channel/${channels.general}-general/topic/lunch`);
    for (const name of dialogs) {
      await open(page, english.commands[name]);
      await field(page).fill(`begun ${name}`);
      await close(page);
    }
    await expectTexts(page, english.commands);
    expect((await alice.patch("/settings", { default_language: "de" })).status).toBe(200);
    await page.reload();
    await page.getByRole("button", { name: "Senden", exact: true }).waitFor();
    await expectTexts(page, german.commands);
    // A text that is sent is begun no more.
    await open(page, german.commands.status);
    await field(page).press("Enter");
    await page.locator("dialog.dialog").waitFor({ state: "detached" });
    await eventually(async () => {
      const { body } = await alice.get(`/users/${alice.id}/status`);
      expect(body.status.status_text).toBe("begun status");
    });
    const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
    expect(kept).not.toContain("begun status");
    expect(kept).toContain("begun report");
  },
  slowMilliseconds,
);
