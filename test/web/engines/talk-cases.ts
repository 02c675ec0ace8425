import { expect } from "bun:test";
import type { EngineStage } from "./engine";
import { until, untilMessage } from "./tab";

/** Cases in which somebody signs in and talks, for a browser of any make. */
export function talkCases(on: EngineStage): void {
  on.test("somebody signs in, reads, sends, and receives what another sends", async () => {
    const { alice, bob, channels } = on.world;
    await alice.say("general", "lunch", "Where shall we *eat*?");
    const link = `#narrow/channel/${channels.general}-general/topic/lunch`;
    const tab = await on.open(bob, link);
    expect(await tab.evaluate(() => location.hash)).toBe(link);
    await untilMessage(tab, "Where shall we eat?");
    await tab.click(".compose textarea");
    await tab.type("At **noon**, at home");
    await tab.press("Control", "Enter");
    await until(
      tab,
      (word) => document.querySelector("article strong")?.textContent === word,
      "noon",
    );
    const { body } = await alice.get("/messages", {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
    });
    expect(body.messages.at(-1)).toMatchObject({
      sender_id: bob.id,
      content: "<p>At <strong>noon</strong>, at home</p>",
    });
    await alice.say("general", "lunch", "I bring soup");
    await untilMessage(tab, "I bring soup");
  });
}
