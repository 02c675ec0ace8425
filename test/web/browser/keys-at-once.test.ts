import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { upload } from "../../support/files";
import { box, browserTest, stage } from "../browser";
import { actAtOnce } from "../keys-at-once";

/*
 * Keys that are pressed before the browser has told the page that something was closed. On a busy
 * machine that takes long enough for anybody's fingers.
 */

const on = stage();

const dot = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** Opens a topic with a message that has a picture, and focuses the message. */
async function openTopic(topic: string) {
  const { alice, bob, channels } = on.world;
  await bob.say("general", topic, "An earlier one.");
  const id = await bob.say("general", topic, `See [dot](${await upload(bob, "dot.png", dot)})`);
  const page = await on.open(alice, `#narrow/channel/${channels.general}-general/topic/${topic}`);
  const row = page.locator(`article[data-id="${id}"]`);
  await row.locator("img").waitFor();
  await focusByKey(page, row);
  return { page, row };
}

type Row = ReturnType<Page["locator"]>;

async function focusByKey(page: Page, row: Row) {
  await page.keyboard.press("Tab");
  await row.focus();
}

const isIn = (page: Page, selector: string) =>
  page.waitForFunction((one) => document.activeElement?.closest(one), selector);

/** Expects that the box was opened by a key, and that what was typed after it stands there. */
async function expectReply(page: Page, row: Row, typed: string) {
  await isIn(page, ".compose textarea");
  expect(await box(page).inputValue()).toBe(typed);
  await box(page).fill("");
  await page.keyboard.press("Escape");
  await focusByKey(page, row);
}

const menu = "[role=menu]";

/** Keys that open something at a message, with what then covers the page. */
const covers = [
  ["i", menu],
  [":", ".emoji-picker"],
  ["u", ".card"],
  ["m", "dialog.dialog"],
  ["Shift+V", "dialog.dialog"],
  ["v", "dialog.lightbox"],
  ["?", "dialog.overlay"],
  ["Control+k", "dialog.overlay"],
] as const;

browserTest("keys that follow Esc at once are heard, whatever it has closed", async () => {
  const { page, row } = await openTopic("replies");
  for (const [key, cover] of covers) {
    await page.keyboard.press(key);
    await isIn(page, cover);
    await actAtOnce(page, "Escape", "r", "h", "i");
    await expectReply(page, row, "hi");
  }
});

browserTest("what Esc has closed is opened again at once", async () => {
  const { page, row } = await openTopic("again");
  for (const [key, cover] of [
    ["i", menu],
    [":", ".emoji-picker"],
    ["u", ".card"],
    ["m", "dialog.dialog"],
    ["v", "dialog.lightbox"],
  ] as const) {
    await page.keyboard.press(key);
    await isIn(page, cover);
    await actAtOnce(page, "Escape", key);
    await isIn(page, cover);
    if (key === "i" || key === ":") await row.getByRole("toolbar").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(cover).waitFor({ state: "detached" });
    await row.and(page.locator(":focus")).waitFor();
  }
  const opener = row.locator("button[aria-haspopup=menu]");
  await opener.focus();
  await page.keyboard.press("Enter");
  await isIn(page, menu);
  await actAtOnce(page, "Escape", "Enter");
  await isIn(page, menu);
  await actAtOnce(page, "Escape", "r");
  await expectReply(page, row, "");
});

browserTest("a key that follows a click beside a menu at once is heard", async () => {
  const { page, row } = await openTopic("beside");
  await page.keyboard.press("i");
  await isIn(page, menu);
  const text = await page.getByText("An earlier one.").boundingBox();
  await actAtOnce(page, { x: (text?.x ?? 0) + 1, y: (text?.y ?? 0) + 1 }, "r", "h", "i");
  await expectReply(page, row, "hi");
});
