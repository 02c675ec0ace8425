import { describe, expect } from "bun:test";
import { setInterval as beats } from "node:timers/promises";
import { browserTest } from "../../browser";
import { channelsFor, executableStage, topicAt } from "../../executable";
import { type MainThread, measureMainThread } from "../../main-thread";
import { drawn, least, say, sayMany } from "../../many-messages";

const on = executableStage({ channels: channelsFor("alice", 199) });

const perSecond = 50;
/** So many seconds are measured until one is found in which nobody else was in the way. */
const secondsMax = 12;

/**
 * Least share of a core in seconds that end when the page shows the last message of each, as soon
 * as one is within the bound.
 */
async function shareOfCore(
  main: MainThread,
  { topic, bound }: { topic: string; bound: number },
  shown: (lastId: number, sentInAll: number) => string,
): Promise<number> {
  const shares: number[] = [];
  while (shares.length < secondsMax && least(shares) >= bound) {
    const before = await main.ticks();
    const sends: Promise<number>[] = [];
    for await (const _ of beats(1_000 / perSecond))
      if (sends.push(say(on, topic, sends.length)) === perSecond) break;
    const ids = await Promise.all(sends);
    await main.painted(shown(Math.max(...ids), (shares.length + 1) * perSecond));
    shares.push(((await main.ticks()) - before) / 1_000);
  }
  return least(shares);
}

describe("50 messages a second", () => {
  browserTest("take at most 15 % of a core in the open channel", async () => {
    const page = await on.open("alice", await topicAt(on, "fast"));
    const main = await measureMainThread(page);
    // At the end of a conversation that begins, one follows it.
    await main.painted(drawn(await say(on, "fast")));
    await main.painted(drawn(await sayMany(on, "fast", 150)));
    const bound = 0.15;
    const share = await shareOfCore(main, { topic: "fast", bound }, drawn);
    expect(share).toBeWithin(0.005, bound);
  });

  browserTest("take at most 8 % of a core elsewhere", async () => {
    await on.client("alice").post("/mark_all_as_read");
    const page = await on.open("alice", "#narrow/is/starred");
    const main = await measureMainThread(page);
    const counted = (_: number, sentInAll: number) =>
      `document.querySelector('.rail a[href="#inbox"]').textContent.includes("${sentInAll} messages unread")`;
    const bound = 0.08;
    const share = await shareOfCore(main, { topic: "elsewhere", bound }, counted);
    expect(share).toBeWithin(0.005, bound);
  });
});
