import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { box, browserTest, rowOf } from "../../browser";
import { executableStage, topicAt } from "../../executable";
import { eventually } from "../../waiting";

const on = executableStage();

async function send(page: Page, text: string) {
  await box(page).fill(text);
  await box(page).press("Control+Enter");
}

/** Two people in a conversation; a page that begins anew would lose the mark. */
async function openTwo(topic: string) {
  const at = await topicAt(on, topic);
  const pages = [await on.open("alice", at), await on.open("bob", at)] as const;
  for (const page of pages) await page.evaluate("globalThis.isUntouched = true");
  return { pages, hers: pages[0], his: pages[1] };
}

/** Checks that each page, never begun anew, and the server have each text once. */
async function eachOnce(topic: string, pages: readonly Page[], texts: readonly string[]) {
  for (const page of pages) {
    for (const text of texts) {
      await eventually(async () =>
        expect([text, await rowOf(page, text).count()]).toEqual([text, 1]),
      );
    }
    expect(await page.evaluate("globalThis.isUntouched")).toBe(true);
  }
  const narrow = [{ operator: "topic", operand: topic }];
  const asked = { anchor: "newest", num_before: 100, num_after: 0, apply_markdown: false, narrow };
  const { body } = await on.client("olga").get("/messages", asked);
  const contents = body.messages.map(({ content }: { content: string }) => content);
  expect(contents.sort()).toEqual([...texts].sort());
}

/** A turn of the pages' clocks, after which they may ask the server. */
const turnMilliseconds = 100;

async function letPass(pages: readonly Page[], milliseconds: number) {
  for (let passed = 0; passed < milliseconds; passed += turnMilliseconds)
    for (const page of pages) await page.clock.runFor(turnMilliseconds);
}

/*
 * The pages' clocks stand still here but for what the test lets pass. So the second that the pages
 * have is one of their own schedule, and a busy machine, which starts the server late and answers
 * late, neither helps nor hurts them.
 */
browserTest(
  "two who type while the server is killed go on within a second of its restart",
  async () => {
    const { pages, hers, his } = await openTwo("lunch");
    await send(hers, "before the cut");
    await rowOf(his, "before the cut").waitFor();
    for (const page of pages) {
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 1_000);
    }
    await box(hers).pressSequentially("half a ");
    await on.kill();
    await send(his, "while it is down");
    await rowOf(his, "while it is down").waitFor();
    await box(hers).pressSequentially("sentence");
    await letPass(pages, 200);
    for (const page of pages) await page.getByText("Cannot reach the server").waitFor();
    await letPass(pages, 800);
    await on.start();
    await letPass(pages, 1_000);
    await rowOf(hers, "while it is down").waitFor();
    for (const page of pages)
      await page.getByText("Cannot reach the server").waitFor({ state: "detached" });
    await eventually(async () => expect(await box(hers).inputValue()).toBe("half a sentence"));
    await box(hers).press("Control+Enter");
    for (const page of pages) await page.clock.resume();
    await rowOf(his, "half a sentence").waitFor();
    await eachOnce("lunch", pages, ["before the cut", "while it is down", "half a sentence"]);
  },
);

/**
 * Sends texts as fast as they are taken, and kills the server when a part of them is on its way.
 */
browserTest("of all that two send while the server is killed, each comes once", async () => {
  const { pages, hers, his } = await openTwo("dinner");
  const texts = (name: string) => Array.from({ length: 12 }, (_, index) => `${name} ${index}.`);
  const [hersTexts, hisTexts] = [texts("hers"), texts("his")];
  const sendAll = async (page: Page, all: readonly string[]) => {
    for (const text of all) await send(page, text);
  };
  const sends = [sendAll(hers, hersTexts), sendAll(his, hisTexts)];
  await rowOf(his, "hers 4.").waitFor();
  await on.kill();
  await Promise.all(sends);
  await on.start();
  await eachOnce("dinner", pages, [...hersTexts, ...hisTexts]);
});
