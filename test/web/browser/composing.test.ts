import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { box, browserTest, stage, topicIn } from "../browser";
import { eventually, until } from "../waiting";

/* Words that an input method is still choosing, as in Japanese, are in the field already. */

const on = stage();

/** The input method of a tab. */
async function methodOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  return {
    choose: (text: string) =>
      session.send("Input.imeSetComposition", {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      }),
    take: (text: string) => session.send("Input.insertText", { text }),
  };
}

browserTest("a file that arrives while words are chosen does not double them", async () => {
  const page = await on.open(on.world.alice, topicIn(on, "chosen"));
  const method = await methodOf(page);
  const isLetGo = Promise.withResolvers<void>();
  await page.route("**/user_uploads", async (route) => {
    await isLetGo.promise;
    await route.continue();
  });
  await box(page).focus();
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chosen).setFiles([
    { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") },
  ]);
  await until(async () => (await box(page).inputValue()).includes("Uploading a.txt"));
  await box(page).press("Control+End");
  await method.choose("に");
  await method.choose("にほ");
  isLetGo.resolve();
  await page.getByRole("list", { name: "Uploading" }).waitFor({ state: "detached" });
  await method.choose("にほん");
  await method.take("日本");
  await eventually(async () =>
    expect(await box(page).inputValue()).toMatch(/^\[a.txt\]\(\/user_uploads\/[^)]+\)\n日本$/),
  );
  await page.unrouteAll();
  await box(page).fill("");
});

browserTest("a text stays in its field, with its caret, where its topic is renamed", async () => {
  const { alice, bob, olga } = on.world;
  const id = await bob.say("general", "before", "Hello");
  const page = await on.open(alice, topicIn(on, "before"));
  const method = await methodOf(page);
  await box(page).fill("I like  more");
  for (let step = 0; step < " more".length; step += 1) await box(page).press("ArrowLeft");
  await method.choose("にほ");
  const moved = { topic: "after", propagate_mode: "change_all" };
  expect((await olga.patch(`/messages/${id}`, moved)).status).toBe(200);
  await page.getByRole("textbox", { name: "Message to general, after" }).waitFor();
  await method.choose("にほん");
  await method.take("日本");
  await eventually(async () => expect(await box(page).inputValue()).toBe("I like 日本 more"));
  await box(page).press("Control+Enter");
  await page.getByRole("article").filter({ hasText: "I like 日本 more" }).locator("time").waitFor();
  // Another conversation's text has a field, and a history for undo, of its own.
  await page.evaluate((hash) => location.assign(hash), topicIn(on, "other"));
  await page.getByRole("textbox", { name: "Message to general, other" }).waitFor();
  await box(page).press("Control+z");
  expect(await box(page).inputValue()).toBe("");
});
