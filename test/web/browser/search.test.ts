import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, rowOf, stage } from "../browser";
import { eventually } from "../waiting";

/*
 * Searches: their operators, suggestions while somebody types, and the way to the place of a hit.
 */

const on = stage({}, { pagesGoOn: true });
const slowMilliseconds = 60_000;

const field = (page: Page) => page.getByRole("combobox", { name: "Search messages" });
const option = (page: Page, name: RegExp | string) => page.getByRole("option", { name }).first();
const hashOf = (page: Page) => page.evaluate(() => location.hash);

async function makeChannel(name: string): Promise<string> {
  const { olga, alice, bob, carol } = on.world;
  await olga.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals: [alice.id, bob.id, carol.id],
    announce: false,
  });
  const { body } = await olga.get("/get_stream_id", { stream: name });
  return `#narrow/channel/${body.stream_id}-${name}`;
}

/** Waits until the messages that a search shows are these, by their first words. */
const shows = (page: Page, texts: readonly string[]) =>
  page.waitForFunction((wanted) => {
    const found = [...document.querySelectorAll(".feed .rendered")].map((one) =>
      one.textContent?.trim(),
    );
    return JSON.stringify(found) === wanted;
  }, JSON.stringify(texts));

async function search(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.keyboard.press("Enter");
}

browserTest(
  "operators narrow a search, and negated ones leave messages out",
  async () => {
    const { alice, bob, carol } = on.world;
    await makeChannel("kitchen");
    await makeChannel("cellar");
    await alice.say("kitchen", "soup of day", "turnip with https://example.com/soup");
    const starred = await carol.say("kitchen", "bread", "turnip bread");
    await alice.say("cellar", "stock", "turnip stock, ten of them");
    await carol.tell([bob], "turnip for you");
    await bob.post("/messages/flags", { messages: [starred], op: "add", flag: "starred" });
    const page = await on.open(bob, "#inbox");
    await page.keyboard.press("/");
    const soup = "turnip with https://example.com/soup";
    for (const [text, found] of [
      ["turnip", [soup, "turnip bread", "turnip stock, ten of them", "turnip for you"]],
      ["turnip channel:kitchen", [soup, "turnip bread"]],
      ["channel:kitchen -sender:Carol turnip", [soup]],
      ['topic:"soup of day" turnip', [soup]],
      ["has:link turnip", [soup]],
      ["turnip is:starred", ["turnip bread"]],
      ["turnip is:dm", ["turnip for you"]],
      ["dm:carol turnip", ["turnip for you"]],
      ["turnip dm-including:Carol -is:starred", ["turnip for you"]],
      ['"ten of them" -is:dm', ["turnip stock, ten of them"]],
      [`id:${starred} turnip`, ["turnip bread"]],
      ["stream:cellar from:alice turnip", ["turnip stock, ten of them"]],
    ] as const) {
      await search(page, text);
      await shows(page, found);
    }
  },
  slowMilliseconds,
);

browserTest(
  "old links to searches lead to their results, with the text that means them",
  async () => {
    const { alice, bob } = on.world;
    const channel = await makeChannel("garden");
    await alice.say("garden", "beds & paths", "two parsnips");
    const id = /\d+/.exec(channel)?.[0];
    const page = await on.open(
      bob,
      `#narrow/stream/${id}-old-name/subject/beds.20.26.20paths/search/two+parsnips`,
    );
    await shows(page, ["two parsnips"]);
    await eventually(async () =>
      expect(await field(page).inputValue()).toBe(
        'channel:garden topic:"beds & paths" two parsnips',
      ),
    );
    await page.getByRole("button", { name: "Search everywhere" }).click();
    await page.waitForFunction(() => location.hash === "#narrow/search/two.20parsnips");
  },
);

browserTest(
  "suggestions are taken by keyboard alone, and the latest searches are offered again",
  async () => {
    const { alice, bob, carol } = on.world;
    const channel = await makeChannel("orchard");
    await alice.say("orchard", "old trees", "a pear, see https://example.com");
    await alice.say("orchard", "young trees", "a quince");
    const page = await on.open(bob, "#feed");
    await page.keyboard.press("/");
    await page.keyboard.type("orch");
    await option(page, /^orchard/).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("topic:old");
    await option(page, /^old trees/).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("link");
    await option(page, /^has:link Messages with links/).waitFor();
    await page.keyboard.press("Tab");
    const text = 'channel:orchard topic:"old trees" has:link';
    await eventually(async () => expect((await field(page).inputValue()).trim()).toBe(text));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await shows(page, ["a pear, see https://example.com"]);
    await eventually(async () =>
      expect(await hashOf(page)).toBe(`${channel}/topic/old.20trees/has/link`),
    );
    // The focus stays in the field; Esc leads to the messages, and once more back to where it
    // began.
    await page.waitForFunction(() => document.activeElement?.matches("input.field"));
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.matches(".feed"));
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: "All messages" }).waitFor();
    await eventually(async () => expect(await hashOf(page)).toBe("#feed"));
    await page.keyboard.press("/");
    await option(page, `${text} recent search`).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await shows(page, ["a pear, see https://example.com"]);
    const hers = await on.open(carol, "#feed");
    await hers.keyboard.press("/");
    await option(hers, /^channel:/).waitFor();
    await eventually(async () => expect(await hers.getByText("recent search").count()).toBe(0));
  },
  slowMilliseconds,
);

browserTest(
  "a hit leads to its place in the conversation, and Back to the same pixel of the results",
  async () => {
    const { alice, bob } = on.world;
    await makeChannel("barn");
    for (let number = 0; number < 60; number += 1)
      await alice.say("barn", number % 2 === 0 ? "hay" : "straw", `bale number ${number}`);
    const page = await on.open(bob, "#inbox");
    await page.keyboard.press("/");
    await search(page, "bale");
    await rowOf(page, "bale number 59").waitFor();
    await page.locator(".feed").evaluate((feed) => {
      feed.scrollTop -= 1_000;
    });
    const hit = rowOf(page, "bale number 46");
    // The row is in view before the click, which would scroll to it otherwise.
    await hit.scrollIntoViewIfNeeded();
    await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen))));
    const topOf = () => hit.evaluate((row) => row.getBoundingClientRect().top);
    const before = await topOf();
    await hit.getByRole("link", { name: "Show in conversation" }).click();
    await page.getByRole("heading", { level: 1, name: /hay/ }).waitFor();
    await eventually(async () =>
      expect(await page.locator(".row.focused").textContent()).toContain("bale number 46"),
    );
    await eventually(async () => expect(await rowOf(page, "bale number 49").count()).toBe(0));
    await page.goBack();
    await rowOf(page, "bale number 49").waitFor();
    expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(1);
  },
  slowMilliseconds,
);

browserTest(
  "words are marked in the topic too, whose name stays a text",
  async () => {
    const { alice, bob, olga } = on.world;
    await makeChannel("stable");
    const id = await alice.say(
      "stable",
      "<img src=x onerror=alert(1)> saddle",
      "It is on the wall.",
    );
    const page = await on.open(bob, "#narrow/search/saddle");
    const topic = rowOf(page, "on the wall").getByRole("link", { name: /saddle/ });
    await topic.locator(".highlight", { hasText: "saddle" }).waitFor();
    await eventually(async () =>
      expect(await topic.textContent()).toBe("<img src=x onerror=alert(1)> saddle"),
    );
    await eventually(async () => expect(await page.locator(".recipient img").count()).toBe(0));
    await olga.patch(`/messages/${id}`, { topic: "harness", propagate_mode: "change_all" });
    await rowOf(page, "on the wall").getByRole("link", { name: "harness" }).waitFor();
  },
  slowMilliseconds,
);

browserTest(
  "a search says what it does not understand, and keeps it as words",
  async () => {
    const page = await on.open(on.world.bob, "#inbox");
    await page.keyboard.press("/");
    await search(page, "moon:full sender:Nobody -word has:cheese");
    const note = page.getByRole("status").filter({ hasText: "Searched as words." });
    await note.waitFor();
    for (const part of ["“moon:full”", "“sender:Nobody”", "“-word”", "“has:cheese”"])
      await eventually(async () => expect(await note.textContent()).toContain(part));
    await eventually(async () =>
      expect(await field(page).inputValue()).toBe("moon:full sender:Nobody -word has:cheese"),
    );
    await page.locator(".nothing").getByText("Nothing was found.").waitFor();
  },
  slowMilliseconds,
);

browserTest("a search without hits is told to a voice, and its text can be corrected", async () => {
  await makeChannel("attic");
  await on.world.alice.say("attic", "boxes", "a gramophone");
  const page = await on.open(on.world.bob, "#inbox");
  const told = page.locator("p[aria-live=polite]").filter({ hasText: "Nothing was found." });
  await page.keyboard.press("/");
  await search(page, "gramofone");
  await told.waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("gramophone");
  await page.keyboard.press("Enter");
  await shows(page, ["a gramophone"]);
});

browserTest(
  "a search of an index that is not whole yet says so, until it is",
  async () => {
    const { alice, bob } = on.world;
    await alice.say("general", "index", "a rare turnstile");
    const page = await on.open(bob, "#inbox");
    let isWhole = false;
    const { body } = await bob.get("/messages", {
      narrow: [{ operator: "search", operand: "turnstile" }],
      anchor: "newest",
      num_before: 100,
      num_after: 0,
    });
    await page.route("**/api/v1/messages?*turnstile*", (route) =>
      isWhole ? route.continue() : route.fulfill({ json: { ...body, search_incomplete: true } }),
    );
    await page.keyboard.press("/");
    await search(page, "turnstile");
    const note = page.getByRole("status").filter({ hasText: "still being indexed" });
    await note.waitFor();
    isWhole = true;
    await note.getByRole("button", { name: "Try again" }).click();
    await note.waitFor({ state: "detached" });
    await rowOf(page, "a rare turnstile").waitFor();
    await page.waitForFunction(() => document.activeElement?.matches("input.field"));
  },
  slowMilliseconds,
);

browserTest(
  "reactions to one's messages, files and alert words are views of their own",
  async () => {
    const { alice, bob } = on.world;
    const mine = await bob.say("general", "party", "I bring the cake");
    await alice.post(`/messages/${mine}/reactions`, { emoji_name: "cake" });
    await bob.post("/users/me/alert_words", { alert_words: ["marzipan"] });
    await alice.say("general", "party", "And I the marzipan!");
    const page = await on.open(bob, "#narrow/has/reaction/sender/me");
    await page.getByRole("heading", { level: 1, name: "Reactions to my messages" }).waitFor();
    await shows(page, ["I bring the cake"]);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go anywhere" }).fill("messages with alert");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Alert words" }).waitFor();
    await shows(page, ["And I the marzipan!"]);
    await page.evaluate(() => location.assign("#narrow/has/attachment"));
    await page.getByRole("heading", { level: 1, name: "Files" }).waitFor();
    await page.getByText("Nobody has sent a file yet.").waitFor();
  },
);

browserTest(
  "the palette finds messages, the newest first, and searches all for what is typed",
  async () => {
    const { alice, bob } = on.world;
    const channel = await makeChannel("attic");
    for (let number = 0; number < 7; number += 1)
      await alice.say("attic", "boxes", `gramophone <b>${number}</b>`);
    const page = await on.open(bob, "#inbox");
    const palette = page.getByRole("combobox", { name: "Go anywhere" });
    const lines = page.getByRole("dialog").getByRole("option");
    await page.keyboard.press("Control+k");
    await palette.fill("gramophone sender:alice");
    await lines.filter({ hasText: "Alice · attic › boxes" }).nth(4).waitFor();
    await eventually(async () =>
      expect(await lines.nth(0).textContent()).toBe(
        "Search messages for “gramophone sender:alice”",
      ),
    );
    await eventually(async () =>
      expect(await lines.nth(1).textContent()).toContain("gramophone <b>6</b>"),
    );
    await eventually(async () => expect(await lines.count()).toBe(6));
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.waitForFunction(
      (at) => location.hash.startsWith(`${at}/topic/boxes/near/`),
      channel,
    );
    await eventually(async () =>
      expect(await page.locator(".row.focused").textContent()).toContain("gramophone <b>5</b>"),
    );
    await page.keyboard.press("Control+k");
    await palette.fill("gramophone sender:alice");
    await page.keyboard.press("Enter");
    await rowOf(page, "gramophone <b>6</b>").locator(".highlight").waitFor();
    await eventually(async () =>
      expect(await field(page).inputValue()).toBe("sender:Alice gramophone"),
    );
  },
  slowMilliseconds,
);

browserTest(
  "an answer to the palette that comes late is not shown for another text",
  async () => {
    const { alice, bob } = on.world;
    await alice.say("general", "slow", "a sluggish snail");
    await alice.say("general", "fast", "a swift hare");
    const page = await on.open(bob, "#inbox");
    const held = Promise.withResolvers<void>();
    await page.route("**/api/v1/messages?*sluggish*", async (route) => {
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("combobox", { name: "Go anywhere" });
    const asked = page.waitForRequest("**/api/v1/messages?*sluggish*");
    await palette.fill("sluggish");
    await asked;
    await palette.fill("swift");
    await page.getByRole("option", { name: /a swift hare/ }).waitFor();
    held.resolve();
    await eventually(async () =>
      expect(await page.getByRole("option", { name: /snail/ }).count()).toBe(0),
    );
  },
  slowMilliseconds,
);

browserTest(
  "the palette leads to settings",
  async () => {
    const page = await on.open(on.world.bob, "#inbox");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go anywhere" }).fill("appea");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash === "#settings/appearance");
  },
  slowMilliseconds,
);

browserTest("a hit in a closed spoiler is told beside its header", async () => {
  const { alice, bob } = on.world;
  const channel = await makeChannel("cinema");
  const content = "```spoiler The end\nthe gardener was it\n```\n\n```spoiler Prizes\nnone\n```";
  await alice.say("cinema", "films", content);
  const page = await on.open(bob, "#narrow/search/gardener");
  const header = page.getByRole("button", { name: "The end Found inside" });
  await header.waitFor();
  expect(await page.getByRole("button", { name: /Found inside/ }).count()).toBe(1);
  expect(await page.getByText("the gardener was it").isVisible()).toBe(false);
  // The author has not written the note, so it is no part of a copy.
  expect(await page.locator(".rendered").innerText()).not.toContain("Found inside");
  await header.click();
  await page.getByText("the gardener was it").waitFor();
  await page.getByRole("button", { name: /The end$/ }).waitFor();
  const there = await on.open(bob, channel);
  await there.getByRole("button", { name: /The end$/ }).waitFor();
});

browserTest("the key of the search, pressed at results, begins a new search", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "barn", "two ladders");
  await alice.say("general", "barn", "one wheelbarrow");
  const page = await on.open(bob, "#inbox");
  await page.keyboard.press("/");
  await search(page, "ladders");
  await rowOf(page, "two ladders").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".feed:focus").waitFor();
  await page.keyboard.press("/");
  await page.locator(".search .field:focus").waitFor();
  await page.keyboard.type("wheelbarrow");
  await page.keyboard.press("Enter");
  await rowOf(page, "one wheelbarrow").waitFor();
  expect(await field(page).inputValue()).toBe("wheelbarrow");
  await page.keyboard.press("Escape");
  await page.locator(".feed:focus").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.press("End");
  await page.keyboard.type(" ladders");
  expect(await field(page).inputValue()).toBe("wheelbarrow ladders");
});

browserTest(
  "suggestions lie above the messages in browsers from before the end of 2024 too",
  async () => {
    const { alice, bob } = on.world;
    for (const name of ["one", "two", "three"]) await alice.say("general", name, `parsnip ${name}`);
    const page = await on.open(bob, "#narrow/search/parsnip");
    await rowOf(page, "parsnip three").locator(".row").hover();
    await field(page).fill("sender:");
    await page.locator('.head [role="option"]').nth(3).waitFor();
    // Containers, such as the head, had layout containment then.
    const covered = await page.evaluate(() => {
      const head = document.querySelector<HTMLElement>(".head");
      if (head) head.style.contain = "layout";
      const options = [...document.querySelectorAll('.head [role="option"]')];
      return options.filter((one) => {
        const { left, right, top, height } = one.getBoundingClientRect();
        const at = (x: number) => document.elementFromPoint(x, top + height / 2);
        return !one.contains(at(left + 4)) || !one.contains(at(right - 4));
      }).length;
    });
    expect(covered).toBe(0);
  },
);
