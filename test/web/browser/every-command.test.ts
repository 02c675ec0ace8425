import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { keys as words } from "../../../src/web/words/en/keys";
import { root } from "../../support/root";
import { browserTest, stage } from "../browser";
import { deeds } from "../command-deeds";
import { strokesOf } from "../keyboard-walk";
import { sceneOn } from "../scene-openings";

/* Every command by keyboard alone: by its key, and by its name in the palette where it has none. */

const on = stage({}, { pagesGoOn: true });
const openScene = sceneOn(on, { width: 1440, height: 500 });
const slowMilliseconds = 60_000;

const files = ["commands.ts", "message-commands.ts"];
const sources = await Promise.all(
  files.map((file) => Bun.file(join(root, "src/web/keys", file)).text()),
);
/** The first key of each command in the table; undefined where it has none. */
const keyOf = new Map(
  [...sources.join("\n").matchAll(/id: "(\w+)",\s*keys: \[(?:"([^"]+)")?/g)].map(
    ([, id = "", key]) => [id, key],
  ),
);

test("every name of a command is that of one in the table", () =>
  expect([...keyOf.keys()].sort()).toEqual(Object.keys(words.commands).sort()));

const messagesMax = 20;

/** Walks to a message, from the newest one up. */
async function walkTo(page: Page, text: string): Promise<void> {
  await page.getByRole("article").filter({ hasText: text }).first().waitFor();
  await page.keyboard.press("End");
  for (let step = 0; step < messagesMax; step += 1) {
    const isThere = await page.evaluate(
      (sought) => document.activeElement?.closest("article")?.textContent?.includes(sought),
      text,
    );
    if (isThere) return;
    await page.keyboard.press("k");
  }
  throw new Error(`No key leads to “${text}”.`);
}

/** Does a command by its name, as the palette finds it. */
async function doByName(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").waitFor();
  await page.keyboard.type(name);
  await page.getByRole("option", { name, selected: true }).waitFor();
  await page.keyboard.press("Enter");
}

for (const [id, { view, at, prepare, before = [], typed, done }] of Object.entries(deeds)) {
  const name = Object.entries(words.commands).find(([one]) => one === id)?.[1] ?? "";
  browserTest(
    `by keyboard alone: ${name} (${id})`,
    async () => {
      const page = await openScene(view, prepare);
      if (at !== undefined) await walkTo(page, at);
      for (const key of before) await page.keyboard.press(key);
      if (typed !== undefined) {
        await page.keyboard.press("r");
        await page.locator(".compose textarea:focus").waitFor();
        await page.keyboard.type(typed);
      }
      const key = keyOf.get(id);
      if (key === undefined) await doByName(page, name);
      else for (const stroke of strokesOf(key)) await page.keyboard.press(stroke);
      await done(page, on.world);
    },
    slowMilliseconds,
  );
}
