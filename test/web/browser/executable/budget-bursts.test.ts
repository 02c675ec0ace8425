import { describe, expect } from "bun:test";
import { setInterval as beats } from "node:timers/promises";
import { browserTest } from "../../browser";
import { channelsFor, executableStage, topicAt } from "../../executable";
import { type MainThread, measureMainThread } from "../../main-thread";
import { drawn, least, say, sayMany } from "../../many-messages";

const on = executableStage({ channels: channelsFor("alice", 199) });

const perSecond = 50;
const seconds = 5;

/** Least share of a core in seconds that end when the page shows the last message of each. */
async function shareOfCore(
  main: MainThread,
  topic: string,
  shown: (lastId: number, sentInAll: number) => string,
): Promise<number> {
  const shares: number[] = [];
  while (shares.length < seconds) {
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
    expect(await shareOfCore(main, "fast", drawn)).toBeWithin(0.005, 0.15);
  });

  browserTest("take at most 8 % of a core elsewhere", async () => {
    await on.client("alice").post("/mark_all_as_read");
    const page = await on.open("alice", "#narrow/is/starred");
    const main = await measureMainThread(page);
    const counted = (_: number, sentInAll: number) =>
      `document.querySelector('.rail a[href="#inbox"]').textContent.includes("${sentInAll} messages unread")`;
    expect(await shareOfCore(main, "elsewhere", counted)).toBeWithin(0.005, 0.08);
  });
});
