import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

/* Filters of the inbox and of recent conversations. */

const on = stage();
const slowMilliseconds = 60_000;

async function makeChannel(name: string): Promise<number> {
  const { olga, alice, bob } = on.world;
  await olga.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals: [alice.id, bob.id],
    announce: false,
  });
  return (await olga.get("/get_stream_id", { stream: name })).body.stream_id;
}

/** Waits until a list shows conversations of these names alone. */
const shows = (page: Page, names: readonly string[]) =>
  page.waitForFunction((wanted) => {
    const shown = [
      ...document.querySelectorAll(
        ".pane .entry .name > bdi, .pane .entry a > .name:not(:has(bdi))",
      ),
    ];
    return JSON.stringify(shown.map((one) => one.textContent)) === wanted;
  }, JSON.stringify(names));

const choose = (page: Page, name: string) =>
  page.locator(".pane").getByRole("button", { name, exact: true }).click();

browserTest(
  "the inbox shows what is wanted, and keeps that while the person moves about",
  async () => {
    const { alice, bob, carol } = on.world;
    const channel = await makeChannel("harbour");
    await makeChannel("lighthouse");
    // New channels begin with a message of their own.
    await bob.post("/mark_all_as_read", {});
    await alice.say("harbour", "boats", "one");
    await alice.say("harbour", "nets", "@**Bob** two");
    await alice.say("lighthouse", "lamp", "three");
    await carol.tell([bob], "four");
    await bob.post("/user_topics", { stream_id: channel, topic: "boats", visibility_policy: 3 });
    const page = await on.open(bob, "#inbox");
    await shows(page, ["Carol", "nets", "boats", "lamp"]);
    await choose(page, "Direct messages");
    await shows(page, ["Carol"]);
    // Nothing is marked as read that is not seen.
    await eventually(async () =>
      expect(await page.getByRole("button", { name: "Mark all as read" }).count()).toBe(0),
    );
    await choose(page, "Followed");
    // A topic in which somebody is mentioned is followed by itself.
    await shows(page, ["nets", "boats"]);
    await choose(page, "Mentions");
    await shows(page, ["nets"]);
    await choose(page, "All");
    await page.getByRole("combobox", { name: "Only topics of a channel" }).selectOption("harbour");
    await shows(page, ["nets", "boats"]);
    await page.getByRole("searchbox", { name: "Filter conversations" }).fill("harb BOA");
    await shows(page, ["boats"]);
    await page
      .getByRole("link", { name: /^boats/ })
      .first()
      .click();
    await page.getByRole("article").filter({ hasText: "one" }).waitFor();
    await page.goBack();
    await alice.say("harbour", "boats", "five");
    await shows(page, ["boats"]);
    await page.getByRole("searchbox", { name: "Filter conversations" }).fill("no such");
    await page.getByText("There are no such conversations.").waitFor();
    await page.getByRole("button", { name: "Show everything" }).click();
    await shows(page, ["Carol", "boats", "nets", "lamp"]);
  },
  slowMilliseconds,
);

browserTest(
  "recent conversations of one channel are shown alone, until direct messages are wanted",
  async () => {
    const { alice, bob } = on.world;
    await makeChannel("meadow");
    await alice.say("meadow", "hay", "one");
    await alice.say("meadow", "bees", "two");
    await alice.tell([bob], "three");
    const page = await on.open(bob, "#recent");
    const channels = page.getByRole("combobox", { name: "Only topics of a channel" });
    await channels.selectOption("meadow");
    await shows(page, ["bees", "hay", "channel events"]);
    await page.evaluate(() => location.assign("#inbox"));
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    await eventually(async () => expect(await channels.inputValue()).toBe(""));
    await page.evaluate(() => location.assign("#recent"));
    await page.getByRole("heading", { level: 1, name: "Recent" }).waitFor();
    await shows(page, ["bees", "hay", "channel events"]);
    await choose(page, "Direct messages");
    await page.locator(".pane").getByRole("link", { name: /Alice/ }).waitFor();
    await eventually(async () => expect(await channels.inputValue()).toBe(""));
  },
  slowMilliseconds,
);
