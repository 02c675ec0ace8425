import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { cpuMs } from "../../../bench/process-usage";
import { browserTest } from "../../browser";
import { channelsFor, executableStage, topicAt } from "../../executable";
import { type MainThread, measureMainThread } from "../../main-thread";
import { drawn, least, say, sayMany } from "../../many-messages";

const on = executableStage({ channels: channelsFor("alice", 199) });

/** 5,000 messages are sent in seconds, but for a machine on which many others work. */
const patientMilliseconds = 180_000;

/** Goes to a fragment by its address, as a link does, until a message is drawn there. */
async function goTo(page: Page, main: MainThread, fragment: string, id: number) {
  await page.evaluate((at) => location.assign(at), fragment);
  await main.painted(drawn(id));
}

/** Number of requests for messages, of a topic or all, while something is done. */
async function countAsked(run: () => Promise<void>, topic = ""): Promise<number> {
  const before = on.requests.length;
  await run();
  const asked = on.requests.slice(before).filter((one) => one.includes("/api/v1/messages?"));
  return asked.filter((one) => one.includes(topic)).length;
}

browserTest(
  "5,000 messages take at most 30 MB of heap, 10,000 elements and 120 rows, and no more are kept",
  async () => {
    const [long, short] = [await topicAt(on, "long"), await topicAt(on, "short")];
    const shortId = await say(on, "short");
    const page = await on.open("alice", long);
    const main = await measureMainThread(page);
    // At the end of a conversation that begins, one follows it.
    await main.painted(drawn(await say(on, "long")));
    const longId = await sayMany(on, "long", 5_000);
    await main.painted(drawn(longId));
    expect(await main.heapMegabytes()).toBeWithin(6, 30);
    await page.mouse.move(700, 300);
    for (let turn = 0; turn < 20; turn += 1) {
      await page.mouse.wheel(0, -1_500);
      await main.painted("true");
    }
    const { elements, rows } = await main.sizes();
    expect(elements).toBeWithin(1_000, 10_000);
    expect(rows).toBeWithin(100, 121);
    // Messages that were scrolled past may still be asked for.
    expect(await countAsked(() => goTo(page, main, short, shortId), "short")).toBe(1);
    // With the one message there, the long conversation is one too many.
    const back = page.evaluate((at) => location.assign(at), long);
    await page.waitForRequest((request) => request.url().includes("/api/v1/messages?"));
    await back;
  },
  patientMilliseconds,
);

browserTest("the 20 conversations opened last are kept, and not those before", async () => {
  const topics: { fragment: string; id: number }[] = [];
  for (let count = 0; count < 22; count += 1) {
    const topic = `kept-${count}`;
    topics.push({ fragment: await topicAt(on, topic), id: await say(on, topic) });
  }
  const [first, ...others] = topics;
  const page = await on.open("alice", first?.fragment ?? "");
  const main = await measureMainThread(page);
  // The tab of the test before may still ask for messages of its own.
  const visit = (all: typeof topics) =>
    countAsked(async () => {
      for (const { fragment, id } of all) await goTo(page, main, fragment, id);
    }, "kept-");
  expect(await visit(others)).toBe(21);
  expect(await visit(others.slice(1).reverse())).toBe(0);
  expect(await visit(others.slice(0, 1))).toBe(1);
});

browserTest("a key takes the main thread at most 50 ms until its effect is painted", async () => {
  await sayMany(on, "keys", 200);
  const page = await on.open("alice", await topicAt(on, "keys"));
  const main = await measureMainThread(page);
  const costOf = async (keys: readonly string[]) => {
    const costs: number[] = [];
    for (const key of keys) {
      const before = await main.ticks();
      await page.keyboard.press(key);
      await main.painted("true");
      costs.push((await main.ticks()) - before);
    }
    // Keys may do different things, so that the one that costs most of those in the middle counts.
    return costs.sort((one, other) => one - other)[Math.floor(costs.length / 2)];
  };
  await page.locator(".compose textarea").focus();
  expect(await costOf([..."Words with @a, #chan and :tad"])).toBeWithin(0.1, 50);
  await page.keyboard.press("Escape");
  await page.locator(".feed").focus();
  expect(await costOf([..."kkkkkkjjjjjj"])).toBeWithin(0.1, 50);
});

/*
 * The time from a key to somebody else's screen is work of two pages and the server, and at most
 * one pause between polls, which the client makes by itself. The work is counted in time of the
 * processor, so that it does not grow while others use the machine.
 */
browserTest("a message costs at most 300 ms from one screen to the other", async () => {
  const pauseMilliseconds = 100;
  const topic = await topicAt(on, "across");
  const [hers, his] = [await on.open("alice", topic), await on.open("bob", topic)];
  const mains = [await measureMainThread(hers), await measureMainThread(his)];
  const spent = async () => {
    const ticks = await Promise.all(mains.map((main) => main.ticks()));
    return ticks.reduce((sum, one) => sum + one, 0) + cpuMs(on.server.pid);
  };
  const costs: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    await hers.locator(".compose textarea").fill(`Across ${count}.`);
    const before = await spent();
    await hers.keyboard.press("Control+Enter");
    for (const main of mains)
      await main.painted(
        `[...document.querySelectorAll("article .rendered")].some((row) => row.textContent === "Across ${count}.\\n" || row.textContent === "Across ${count}.")`,
      );
    costs.push((await spent()) - before);
  }
  expect(least(costs) + pauseMilliseconds).toBeWithin(100, 300);
});
