import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";

const on = stage({}, { pagesGoOn: true });

const openAbove = "dialog[open], :popover-open";

/** Ways to open something above the messages of a conversation. */
const openings: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "the palette": (page) => page.keyboard.press("Control+k"),
  "the list of keys": (page) => page.keyboard.press("?"),
  "a card": (page) => page.keyboard.press("u"),
  "a menu": (page) => page.keyboard.press("i"),
  "a dialog": (page) => page.keyboard.press("m"),
  "the list of emoji": (page) => page.keyboard.press(":"),
};

for (const [name, open] of Object.entries(openings))
  browserTest(`Back closes ${name} with the conversation that it stands above`, async () => {
    const { alice, bob, channels } = on.world;
    await alice.say("general", "lunch", "hello");
    const page = await on.open(alice, "#inbox");
    await page.evaluate(
      (channel) => location.assign(`#narrow/channel/${channel}-general/topic/lunch`),
      channels.general,
    );
    await bob.say("general", "lunch", "who comes?");
    await page.getByRole("article").filter({ hasText: "hello" }).first().focus();
    await open(page);
    await page.locator(openAbove).first().waitFor();
    await page.goBack();
    await page.getByRole("region", { name: "Inbox" }).waitFor();
    await page.locator(openAbove).first().waitFor({ state: "detached" });
    expect(await page.locator(openAbove).count()).toBe(0);
  });
