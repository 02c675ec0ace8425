import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { accept, accountOf } from "../../support/invitations";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

const on = stage({}, { pagesGoOn: true });
const slowMilliseconds = 60_000;

const inboxOf = (page: Page) => page.getByRole("region", { name: "Inbox" });

/** A channel with a topic that the people are in, of a name that no other test has. */
async function makeChannel(name: string): Promise<number> {
  const { olga, alice, bob, carol } = on.world;
  const principals = [alice.id, bob.id, carol.id];
  const { status } = await olga.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals,
    announce: false,
  });
  expect(status).toBe(200);
  return (await olga.get("/get_stream_id", { stream: name })).body.stream_id;
}

browserTest("what Alice writes stands in Bob's inbox until he has read it", async () => {
  const { alice, bob } = on.world;
  await makeChannel("apples");
  const page = await on.open(bob, "#inbox");
  const inbox = inboxOf(page);
  await alice.say("apples", "harvest", "@**Bob** when?");
  const line = inbox.getByRole("link", { name: /^harvest/ });
  await line.waitFor();
  await eventually(async () => expect(await line.textContent()).toContain("mentions you"));
  await inbox.getByRole("button", { name: "Mark as read: harvest – apples" }).click();
  await line.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await line.waitFor();
  await alice.post("/messages/flags", { messages: [], op: "add", flag: "read" });
  await line.click();
  await page.getByRole("article").filter({ hasText: "when?" }).waitFor();
});

browserTest("the title counts what is unread", async () => {
  const { alice, bob } = on.world;
  await bob.post("/mark_all_as_read", {});
  const page = await on.open(bob, "#inbox");
  await page.waitForFunction(() => /^Inbox · /.test(document.title));
  await alice.tell([bob], "one");
  await page.waitForFunction(() => /^\(1\) Inbox · /.test(document.title));
});

browserTest("an empty inbox says so", async () => {
  const { carol } = on.world;
  await carol.post("/mark_all_as_read", {});
  const page = await on.open(carol, "#inbox");
  await inboxOf(page).getByText("No unread messages.").waitFor();
});

browserTest("recent conversations follow what is written, moved and deleted", async () => {
  const { alice, bob, olga } = on.world;
  await makeChannel("pears");
  const first = await alice.say("pears", "juice", "fresh");
  await alice.say("pears", "cake", "with cream");
  const page = await on.open(bob, "#recent");
  const lines = page.getByRole("region", { name: "Recent" }).getByRole("link");
  await lines.nth(1).waitFor();
  await eventually(async () => expect(await lines.nth(0).textContent()).toContain("cake"));
  await eventually(async () => expect(await lines.nth(1).textContent()).toContain("juice"));
  await bob.say("pears", "juice", "I like it");
  await lines.first().filter({ hasText: "juice" }).waitFor();
  await olga.patch(`/messages/${first}`, { topic: "drinks", propagate_mode: "change_all" });
  await lines.first().filter({ hasText: "drinks" }).waitFor();
  await eventually(async () => expect(await lines.filter({ hasText: "juice" }).count()).toBe(0));
  await page.getByRole("searchbox", { name: "Filter conversations" }).fill("cak");
  await lines.filter({ hasText: "drinks" }).waitFor({ state: "detached" });
  await eventually(async () => expect(await lines.first().textContent()).toContain("cake"));
});

browserTest("times of recent conversations follow the day while the page stays open", async () => {
  const { alice, bob, clock } = on.world;
  const channel = await makeChannel("medlars");
  await alice.say("medlars", "jam", "not yet");
  const page = await on.newTab(bob);
  const sentAt = clock.now() * 1_000;
  await page.clock.install({ time: sentAt });
  // The server's clock stands still here, of which the page would learn from these answers.
  await page.route("**/users/me/presence", (route) => route.abort());
  await on.openIn(page, "#recent");
  const time = page.locator(`.entry:has([href*="/${channel}-medlars/topic/jam"]) time`);
  const shows = async (form: Intl.DateTimeFormatOptions) => {
    const words = new Intl.DateTimeFormat("en", form).format(sentAt);
    await eventually(async () => expect(await time.textContent()).toBe(words));
  };
  await shows({ hour: "numeric", minute: "2-digit", hourCycle: "h12" });
  const dayMilliseconds = 86_400_000;
  await page.clock.fastForward(dayMilliseconds);
  await shows({ weekday: "short" });
  // A week later the day of the week would be that of today.
  await page.clock.fastForward(6 * dayMilliseconds);
  await shows({ day: "numeric", month: "short" });
  await page.clock.fastForward(366 * dayMilliseconds);
  await shows({ month: "short", year: "numeric" });
});

browserTest(
  "of many recent conversations 200 are drawn, and more on demand",
  async () => {
    const { alice, bob } = on.world;
    await makeChannel("gooseberries");
    for (let number = 0; number < 210; number += 1)
      await alice.say("gooseberries", `bush ${number}`, "ripe");
    const page = await on.open(bob, "#recent");
    const view = page.getByRole("region", { name: "Recent" });
    const lines = view.getByRole("link");
    // A page of the newest messages is loaded: one of each conversation.
    const older = view.getByRole("button", { name: "Show older conversations" });
    await older.waitFor();
    expect(await lines.count()).toBe(200);
    for (let number = 0; number < 5; number += 1)
      await alice.say("gooseberries", `late bush ${number}`, "ripe");
    const more = view.getByRole("button", { name: "Show 5 more" });
    await more.waitFor();
    expect([await lines.count(), await older.count()]).toEqual([200, 0]);
    await more.click();
    await eventually(async () => expect(await lines.count()).toBe(205));
    await older.click();
    await eventually(async () => expect(await lines.count()).toBeGreaterThanOrEqual(215));
  },
  slowMilliseconds,
);

browserTest("whoever types is told of, and is forgotten when they stop", async () => {
  const { alice, bob } = on.world;
  const channel = await makeChannel("plums");
  await alice.say("plums", "jam", "sugar?");
  const page = await on.open(bob, `#narrow/channel/${channel}-plums/topic/jam`);
  const asked = { type: "stream", stream_id: channel, topic: "jam" };
  expect((await alice.post("/typing", { ...asked, op: "start" })).status).toBe(200);
  await page.getByText("Alice is typing").waitFor();
  await alice.post("/typing", { ...asked, op: "stop" });
  await page.getByText("Alice is typing").waitFor({ state: "detached" });
  await alice.post("/typing", { ...asked, op: "start" });
  await page.getByText("Alice is typing").waitFor();
  await alice.say("plums", "jam", "much of it");
  await page.getByText("Alice is typing").waitFor({ state: "detached" });
});

browserTest("whoever types and goes away is forgotten by the server's interval", async () => {
  const { alice, bob } = on.world;
  const channel = await makeChannel("quinces");
  const page = await on.open(bob, "#inbox");
  await page.clock.install();
  await page.goto(`https://chat.example.com/#narrow/channel/${channel}-quinces/topic/jelly`);
  await page.reload();
  await page.locator(".compose").waitFor();
  const asked = { type: "stream", stream_id: channel, topic: "jelly", op: "start" };
  await alice.post("/typing", asked);
  await page.getByText("Alice is typing").waitFor();
  await page.clock.runFor(46_000);
  await page.getByText("Alice is typing").waitFor({ state: "detached" });
});

browserTest("Bob sees that Alice is there when she comes", async () => {
  const { alice, bob } = on.world;
  const page = await on.open(bob, `#narrow/dm/${alice.id}-Alice`);
  await page.setViewportSize({ width: 1440, height: 900 });
  const people = page.getByRole("complementary", { name: "People" });
  await people.getByRole("link", { name: /Alice/ }).waitFor();
  await on.open(alice, "#inbox");
  await people.getByRole("link", { name: /^online Alice/ }).waitFor();
});

browserTest("a voice reads what arrives in the open conversation, and how many more", async () => {
  const { alice, bob } = on.world;
  const channel = await makeChannel("cherries");
  const page = await on.open(bob, `#narrow/channel/${channel}-cherries`);
  const live = page.locator("[aria-live=polite]").last();
  await alice.say("cherries", "sour", "**first** of & all");
  await page.waitForFunction(
    () => document.querySelector("p[aria-live]")?.textContent === "Alice: first of & all",
  );
  for (const number of [2, 3, 4]) await alice.say("cherries", "sour", `number ${number}`);
  await page.waitForFunction(() =>
    /number|more/.test(document.querySelector("p[aria-live]")?.textContent ?? ""),
  );
  await eventually(async () => expect(await live.textContent()).toMatch(/^Alice: number \d/));
});

browserTest("a voice reads a message whose words are those of the one before", async () => {
  const { alice, bob } = on.world;
  const channel = await makeChannel("plums");
  const page = await on.open(bob, `#narrow/channel/${channel}-plums`);
  await page.evaluate(() => {
    const live = document.querySelector("p[aria-live]");
    const note = (changes: MutationRecord[]) => {
      const come = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      document.body.dataset.spoken = [
        document.body.dataset.spoken ?? "",
        ...come.map(({ textContent }) => textContent),
      ].join("|");
    };
    if (live) new MutationObserver(note).observe(live, { childList: true });
  });
  const spoken = () => page.evaluate(() => document.body.dataset.spoken);
  await alice.say("plums", "blue", "ok");
  await eventually(async () => expect(await spoken()).toBe("|Alice: ok"));
  await alice.say("plums", "blue", "ok");
  await eventually(async () => expect(await spoken()).toBe("|Alice: ok|Alice: ok"));
});

browserTest(
  "a search finds words, and Back leads to the pixel where it began",
  async () => {
    const { alice, bob } = on.world;
    const channel = await makeChannel("grapes");
    for (let number = 0; number < 60; number += 1)
      await alice.say("grapes", "vines", `vine number ${number}`);
    // The line above what is unread would come and go with what is read meanwhile.
    await bob.post("/mark_all_as_read");
    const page = await on.open(bob, `#narrow/channel/${channel}-grapes/topic/vines`);
    await page.getByText("vine number 59").waitFor();
    await page.locator(".feed").evaluate((feed) => {
      feed.scrollTop -= 400;
    });
    const topOf = () =>
      page
        .getByRole("article")
        .filter({ hasText: /^\s*.*vine number 45/ })
        .evaluate((row) => row.getBoundingClientRect().top);
    await page.waitForFunction(() => document.querySelectorAll(".feed article").length > 20);
    const before = await topOf();
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search messages" }).fill("number 7");
    await page.keyboard.press("Enter");
    await page.getByRole("article").filter({ hasText: "vine number 7" }).first().waitFor();
    await page.getByRole("combobox", { name: "Search messages" }).fill("number 8");
    await page.keyboard.press("Enter");
    await page.getByRole("article").filter({ hasText: "vine number 8" }).first().waitFor();
    await page.goBack();
    await page.getByText("vine number 45").waitFor();
    expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(1);
  },
  slowMilliseconds,
);

browserTest(
  "an administrator of a new organization invites somebody and makes a channel",
  async () => {
    const { adam } = on.world;
    const page = await on.open(adam, "#inbox");
    const steps = page.getByRole("region", { name: /^Welcome to/ });
    await steps.getByRole("button", { name: "Make a link" }).click();
    const link = await steps.getByRole("textbox", { name: "Invitation link" }).inputValue();
    expect(link).toMatch(/^https:\/\/chat\.example\.com\/join\//);
    const { general } = on.world.channels;
    await on.world.olga.post("/default_streams", { stream_id: general });
    await accept(on.world, link, { email: "nina@example.com", full_name: "Nina" });
    const nina = await accountOf(on.world, "nina@example.com");
    const { body } = await on.world.olga.get(`/users/${nina?.user_id}/channels`);
    expect(body["subscribed_channel_ids"]).toEqual([general]);
    const name = steps.getByRole("textbox", { name: "Channel name" });
    await name.fill("taken");
    await on.world.olga.post("/users/me/subscriptions", { subscriptions: [{ name: "taken" }] });
    await steps.getByRole("button", { name: "Create" }).click();
    await steps.getByRole("alert").filter({ hasText: "taken" }).waitFor();
    await name.fill("orchard");
    await steps.getByRole("button", { name: "Create" }).click();
    await page.locator(".rail").getByRole("link", { name: "orchard" }).waitFor();
    await name.waitFor({ state: "detached" });
  },
);

browserTest("names are shown as they are, whatever they hold", async () => {
  const { olga, bob } = on.world;
  const name = "<img src=x onerror=alert(1)> שלום";
  const channel = await makeChannel(name);
  await olga.post("/messages", {
    type: "stream",
    to: channel,
    topic: "<script>alert(2)</script>".padEnd(55, "x"),
    content: "hello",
  });
  const page = await on.open(bob, "#inbox");
  await inboxOf(page).getByRole("link", { name }).waitFor();
  await page.goto(`https://chat.example.com/#narrow/channel/${channel}-x`);
  await page.getByRole("heading", { level: 1, name }).waitFor();
  expect(await page.evaluate(() => document.querySelectorAll("img[src=x]").length)).toBe(0);
});

browserTest("an Arabic name stands where others do in an English list", async () => {
  const { bob } = on.world;
  const channel = await makeChannel("figs");
  for (const topic of ["يوم السبت", "Sunday"]) await on.world.alice.say("figs", topic, "one");
  const page = await on.open(bob, `#narrow/channel/${channel}-figs`);
  await page.getByRole("link", { name: "Topics", exact: true }).click();
  const names = page.getByRole("region", { name: "Topics" }).locator("a .name bdi");
  await names.nth(1).waitFor();
  const starts = await names.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  expect(new Set(starts.map(Math.round)).size).toBe(1);
});

browserTest("a long Arabic name is cut at its end, as English ones are", async () => {
  const { alice, bob, olga } = on.world;
  await makeChannel("dates");
  const name = Array.from({ length: 10 }, () => "السبت").join(" ");
  await makeChannel(name);
  await alice.say("dates", name, "one");
  const renamed = await olga.patch(`/users/${alice.id}`, { full_name: name });
  expect(renamed.status).toBe(200);
  await alice.tell([bob], "two");
  const page = await on.open(bob, "#inbox");
  for (const width of [1280, 320])
    for (const view of ["inbox", "recent", "channels"]) {
      await page.setViewportSize({ width, height: 800 });
      await on.openIn(page, `#${view}`);
      const names = page.getByRole("main").locator("bdi").filter({ hasText: name });
      await names.first().waitFor();
      expect([width, view, await page.evaluate(hiddenStarts, name)]).toEqual([width, view, []]);
    }
  await olga.patch(`/users/${alice.id}`, { full_name: "Alice" });
});

/** Runs in a page: classes of what holds a name whose first letter is out of sight. */
function hiddenStarts(name: string): string[] {
  return [...document.querySelectorAll(".line .name bdi")].flatMap((one) => {
    const [text] = one.childNodes;
    const frame = one.closest(".name")?.getBoundingClientRect();
    if (!text || !frame || one.textContent !== name) return [];
    const first = document.createRange();
    first.setStart(text, 0);
    first.setEnd(text, 1);
    const { left, right } = first.getBoundingClientRect();
    return left < frame.left - 1 || right > frame.right + 1 ? [one.closest("a")?.href ?? ""] : [];
  });
}

browserTest("the page around a long list stays where it is", async () => {
  const { alice, bob } = on.world;
  for (const name of ["raisins", "sultanas"]) {
    await makeChannel(name);
    for (let one = 0; one < 30; one++) await alice.say(name, `topic ${one}`, "hello");
  }
  const page = await on.open(bob, "#inbox");
  await inboxOf(page)
    .getByRole("link", { name: /^topic 29/ })
    .nth(1)
    .waitFor();
  const { height, inner } = await page.evaluate(() => ({
    height: document.documentElement.scrollHeight,
    inner: innerHeight,
  }));
  expect(height).toBe(inner);
});

browserTest("on a phone a notice leaves the box free in which one writes", async () => {
  const { alice, bob } = on.world;
  const channel = await makeChannel("currants");
  await alice.say("currants", "red", "one");
  const page = await on.open(bob, `#narrow/channel/${channel}-currants/topic/red`);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole("article").filter({ hasText: "one" }).focus();
  await page.keyboard.press("Shift+U");
  const notice = await page.locator(".toast").boundingBox();
  const box = await page.locator(".compose").boundingBox();
  if (!notice || !box) throw new Error("no notice, or no box");
  expect(notice.y + notice.height).toBeLessThan(box.y);
});

browserTest("beside a channel with a long name there is room for a topic", async () => {
  await makeChannel("what we have heard of the weather in all these years");
  const page = await on.open(on.world.bob, "#feed");
  await page.setViewportSize({ width: 390, height: 800 });
  const field = page.locator(".compose .to input");
  await eventually(async () => expect((await field.boundingBox())?.width).toBeGreaterThan(80));
});

browserTest("a long name leaves room for what stands beside it", async () => {
  const { alice, bob, olga } = on.world;
  const channel = await makeChannel("greengages");
  const name = "Wolfeschlegelsteinhausenbergerdorff-Schwarzenberg Q";
  expect((await olga.patch(`/users/${alice.id}`, { full_name: name })).status).toBe(200);
  for (const topic of ["i", "W".repeat(60)]) {
    await alice.say("greengages", topic, `about ${topic}`);
    const page = await on.open(bob, `#narrow/channel/${channel}-greengages/topic/${topic}`);
    await page
      .getByRole("article")
      .filter({ hasText: `about ${topic}` })
      .waitFor();
    for (const width of [360, 640, 820, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(async () => {
        const box = await page.locator(".row header time").boundingBox();
        if (!box) throw new Error("no time");
        expect(box.x + box.width).toBeLessThan(width);
        expect(box.height).toBeLessThan(24);
        const isWhole = await page
          .locator(".head .channel > [dir]")
          .evaluate((one) => one.scrollWidth <= one.clientWidth);
        expect(isWhole).toBe(true);
      });
    }
  }
  expect((await olga.patch(`/users/${alice.id}`, { full_name: "Alice" })).status).toBe(200);
});

browserTest("with forced colours a mention is told from other messages", async () => {
  const { alice, bob } = on.world;
  const channel = await makeChannel("quinces");
  for (const text of ["hello", "@**Bob** hello"]) await alice.say("quinces", "ripe", text);
  const page = await on.open(bob, `#narrow/channel/${channel}-quinces/topic/ripe`);
  await page.emulateMedia({ forcedColors: "active" });
  await page.getByRole("article").nth(1).waitFor();
  const isSeen = await page.locator(".row").evaluateAll((all) => {
    const paper = getComputedStyle(document.body).backgroundColor;
    return all.map((row) => getComputedStyle(row).borderInlineStartColor !== paper);
  });
  expect(isSeen).toEqual([false, true]);
});

browserTest("a conversation that somebody may not see is told of in words for people", async () => {
  const { olga, bob } = on.world;
  const { status } = await olga.post("/users/me/subscriptions", {
    subscriptions: [{ name: "attic" }],
    invite_only: true,
  });
  expect(status).toBe(200);
  const { body } = await olga.get("/get_stream_id", { stream: "attic" });
  const page = await on.open(bob, `#narrow/channel/${body.stream_id}-attic`);
  await page.getByText("This link does not lead anywhere here.").waitFor();
  expect(await page.getByText("Invalid narrow").count()).toBe(0);
});

browserTest("a channel that one was taken out of keeps its name while it is open", async () => {
  const { bob, olga } = on.world;
  const invited = { subscriptions: [{ name: "loquats" }], principals: [bob.id], invite_only: true };
  expect((await olga.post("/users/me/subscriptions", invited)).status).toBe(200);
  const channel = (await olga.get("/get_stream_id", { stream: "loquats" })).body.stream_id;
  const page = await on.open(bob, `#narrow/channel/${channel}-loquats/topic/green`);
  await page.locator(".compose textarea").fill("a draft");
  const taken = { subscriptions: ["loquats"], principals: [bob.id] };
  expect((await olga.delete("/users/me/subscriptions", taken)).status).toBe(200);
  await page.getByText("You cannot write here").waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("loquats›green");
});

browserTest("a new member is led to a channel", async () => {
  const page = await on.open(on.world.bob, "#inbox");
  const steps = page.getByRole("region", { name: /^Welcome to/ });
  await steps.getByRole("link", { name: /^Open / }).click();
  await page.waitForFunction(() => /^#narrow\/channel/.test(location.hash));
});

browserTest("topics of a channel are listed, the one with the newest message first", async () => {
  const { alice, bob } = on.world;
  const channel = await makeChannel("melons");
  await alice.say("melons", "ripe", "one");
  await alice.say("melons", "unripe", "two");
  const page = await on.open(bob, `#narrow/channel/${channel}-melons`);
  await page.getByRole("link", { name: "Topics", exact: true }).click();
  const lines = page.getByRole("region", { name: "Topics" }).getByRole("link");
  await lines.nth(1).waitFor();
  await eventually(async () => expect(await lines.first().textContent()).toContain("unripe"));
  await alice.say("melons", "ripe", "three");
  await lines.first().filter({ hasText: /^ripe/ }).waitFor();
});
