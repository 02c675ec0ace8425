import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { box, browserTest, rowOf, stage, topicIn } from "../browser";
import { until } from "../waiting";

/*
 * Tabs that crash: nothing that was written is lost, and nothing stands there twice, not for a
 * moment.
 */

const on = stage();

const arrived = (page: Page, text: string) => rowOf(page, text).locator("time").waitFor();
const lunch = () => topicIn(on, "lunch");

/** Ends the process of a tab, as a lack of memory does. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const isOver = page.waitForEvent("crash");
  session.send("Page.crash").catch(() => undefined);
  await isOver;
}

/** Has the tabs that somebody opens from now on count how often a text stands there at most. */
const countIn = (page: Page, text: string) =>
  page.context().addInitScript((sought) => {
    let most = 0;
    const count = () => {
      const rows = [...document.querySelectorAll("article")];
      most = Math.max(most, rows.filter((one) => one.textContent?.includes(sought)).length);
    };
    new MutationObserver(count).observe(document, { childList: true, subtree: true });
    Reflect.set(globalThis, "mostAtOnce", () => most);
  }, text);
const mostIn = (page: Page) => page.evaluate("mostAtOnce()");

/** Times that the server has a text. */
async function timesSent(text: string): Promise<number> {
  const asked = { anchor: "newest", num_before: 50, num_after: 0, apply_markdown: false };
  const { body } = await on.world.alice.get("/messages", asked);
  return body.messages.filter(({ content }: { content: string }) => content === text).length;
}

const isOutboxEmpty = (page: Page) =>
  page.evaluate(() => !Object.keys(localStorage).some((key) => key.startsWith("chatd outbox")));

browserTest(
  "a message whose tab crashes before the answer stands in the next one once",
  async () => {
    const text = "Sent with the last breath";
    const first = await on.open(on.world.alice, lunch());
    on.network.delay(60_000);
    await box(first).fill(text);
    await box(first).press("Control+Enter");
    await until(async () => (await timesSent(text)) === 1);
    await countIn(first, text);
    await crash(first);
    await first.close();
    on.network.cut();
    on.network.mend();
    const page = await on.open(on.world.alice, lunch());
    await arrived(page, text);
    await until(() => isOutboxEmpty(page));
    expect([await mostIn(page), await rowOf(page, text).count(), await timesSent(text)]).toEqual([
      1, 1, 1,
    ]);
  },
);

browserTest("a message whose tab crashes before it goes out is sent by the next one", async () => {
  const text = "Written in a tunnel";
  const first = await on.open(on.world.alice, lunch());
  on.network.cut();
  await box(first).fill(text);
  await box(first).press("Control+Enter");
  await first.locator(".row.sending").filter({ hasText: text }).waitFor();
  await countIn(first, text);
  await crash(first);
  await first.close();
  on.network.mend();
  const page = await on.open(on.world.alice, lunch());
  await arrived(page, text);
  await until(() => isOutboxEmpty(page));
  expect([await mostIn(page), await rowOf(page, text).count(), await timesSent(text)]).toEqual([
    1, 1, 1,
  ]);
});

browserTest("a text that is not sent is in the box of the next tab", async () => {
  const text = "Half a thought, and then";
  const first = await on.open(on.world.alice, lunch());
  await box(first).pressSequentially(text);
  await until(() =>
    first.evaluate((typed) => Object.values(localStorage).join().includes(typed), text),
  );
  await crash(first);
  await first.close();
  const page = await on.open(on.world.alice, lunch());
  await until(async () => (await box(page).inputValue()) === text);
  await box(page).fill("");
});

browserTest(
  "another tab polls on where the one that polls crashes, and sends what it sent",
  async () => {
    const { alice, bob } = on.world;
    const texts = ["Of the tab that polls", "Of the tab that is left", "Of Bob meanwhile"];
    const [polling, other] = [await on.open(alice, lunch()), await on.open(alice, lunch())];
    await bob.say("general", "lunch", "Here I am");
    await arrived(other, "Here I am");
    on.network.delay(60_000);
    await box(polling).fill(texts[0] ?? "");
    await box(polling).press("Control+Enter");
    await until(async () => (await timesSent(texts[0] ?? "")) === 1);
    await crash(polling);
    await box(other).fill(texts[1] ?? "");
    await box(other).press("Control+Enter");
    await bob.say("general", "lunch", texts[2] ?? "");
    on.network.cut();
    on.network.mend();
    for (const text of texts) await arrived(other, text);
    await until(() => isOutboxEmpty(other));
    for (const text of texts)
      expect([text, await rowOf(other, text).count(), await timesSent(text)]).toEqual([text, 1, 1]);
  },
);
