import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { Person } from "../../support/world";
import { breachesIn } from "../axe";
import { box, browserTest, stage, topicIn } from "../browser";
import { eventually, until } from "../waiting";

const on = stage({}, { pagesGoOn: true });

browserTest(
  "a poll and a to-do list are made in a dialog, by keys alone, beside a text in the box",
  async () => {
    const { alice, bob } = on.world;
    const [hers, his] = [
      await on.open(alice, topicIn(on, "made")),
      await on.open(bob, topicIn(on, "made")),
    ];
    await box(hers).fill("Not sent yet");
    await box(hers).press("Escape");
    const open = async (command: string) => {
      await hers.keyboard.press("Control+k");
      await hers.getByRole("dialog").getByRole("combobox").fill(command);
      await hers.keyboard.press("Enter");
      await hers
        .getByLabel(command === "new poll" ? "Question" : "Title", { exact: true })
        .waitFor();
    };
    await open("new poll");
    expect(await breachesIn(hers, "dialog")).toEqual([]);
    await hers.getByLabel("Question", { exact: true }).fill("Lunch <b>?");
    await hers.keyboard.press("Tab");
    await hers.keyboard.type("Soup\n\n Rice ");
    // A dialog that is closed keeps what was typed.
    await hers.keyboard.press("Escape");
    await open("new poll");
    await hers.getByLabel("Answers, one per line").press("Tab");
    await hers.keyboard.press("Tab");
    await hers.keyboard.press("Enter");
    const poll = his.getByRole("region", { name: "Poll: Lunch <b>?" });
    await poll.getByRole("button", { name: "Rice: 0 votes" }).waitFor();
    await open("new to-do list");
    await hers.getByLabel("Title", { exact: true }).fill("Trip");
    await hers.getByLabel(/Tasks, one per line/).fill("Book: a train");
    await hers.getByRole("dialog").getByRole("button", { name: "Send" }).press("Enter");
    await his.getByRole("region", { name: "To-do list: Trip" }).getByText("a train").waitFor();
    await eventually(async () => expect(await box(hers).inputValue()).toBe("Not sent yet"));
    await eventually(async () => expect(await his.getByText("Not sent yet").count()).toBe(0));
  },
);

browserTest(
  "a poll is voted in by two people at once, and each sees what the other does",
  async () => {
    const { alice, bob } = on.world;
    const [hers, his] = [
      await on.open(alice, topicIn(on, "poll")),
      await on.open(bob, topicIn(on, "poll")),
    ];
    await box(hers).fill("/poll Lunch <b>today</b>?\nSoup\nRice");
    await box(hers).press("Control+Enter");
    const [herPoll, hisPoll] = [hers, his].map((page) =>
      page.getByRole("region", { name: "Poll: Lunch <b>today</b>?" }),
    );
    if (!herPoll || !hisPoll) throw new Error("There are two pages.");
    await hisPoll.waitFor();
    expect(await breachesIn(his)).toEqual([]);
    await Promise.all([
      herPoll.getByRole("button", { name: "Soup: 0 votes" }).click(),
      hisPoll.getByRole("button", { name: "Soup: 0 votes" }).click(),
    ]);
    for (const one of [herPoll, hisPoll])
      await one.getByRole("button", { name: "Soup: 2 votes", pressed: true }).waitFor();
    await hisPoll.getByLabel("Another answer").fill("Salad");
    await his.keyboard.press("Enter");
    await herPoll.getByRole("button", { name: "Salad: 0 votes" }).click();
    await hisPoll.getByRole("button", { name: "Salad: 1 vote", pressed: false }).waitFor();
    await hisPoll.getByLabel("Another answer").fill("Soup");
    await his.keyboard.press("Enter");
    await his.getByText("This is already in the list.").waitFor();
    await herPoll.getByRole("button", { name: "Soup: 2 votes" }).press("Enter");
    await hisPoll.getByRole("button", { name: "Soup: 1 vote" }).waitFor();
    await eventually(async () =>
      expect(await hisPoll.getByRole("button", { name: "Change the question" }).count()).toBe(0),
    );
    await herPoll.getByRole("button", { name: "Change the question" }).click();
    await hers.getByLabel("Question", { exact: true }).fill("Dinner?");
    await hers.keyboard.press("Enter");
    await his.getByRole("region", { name: "Poll: Dinner?" }).waitFor();
    await his.reload();
    const again = his.getByRole("region", { name: "Poll: Dinner?" });
    await again.getByRole("button", { name: "Soup: 1 vote", pressed: true }).waitFor();
  },
);

browserTest("options that two devices of one person add at one moment are both kept", async () => {
  const { alice, bob } = on.world;
  const message = await bob.say("general", "devices", "/poll Lunch?\nSoup");
  const page = await on.open(alice, topicIn(on, "devices"));
  const poll = page.getByRole("region", { name: "Poll: Lunch?" });
  await poll.getByLabel("Another answer").fill("Salad");
  await page.keyboard.press("Enter");
  await poll.getByRole("button", { name: "Salad: 0 votes" }).waitFor();
  // Her other device has not heard of it yet.
  const content = JSON.stringify({ type: "new_option", idx: 1, option: "Rice" });
  await alice.post("/submessage", { message_id: message, msg_type: "widget", content });
  for (const name of ["Rice: 0 votes", "Salad: 0 votes"])
    await poll.getByRole("button", { name }).waitFor();
  await page.reload();
  for (const name of ["Rice: 0 votes", "Salad: 0 votes"])
    await poll.getByRole("button", { name }).waitFor();
});

browserTest("a to-do list is added to, and checked off", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "todo", "/todo Release\nNotes: two sentences\nTag");
  const [hers, his] = [
    await on.open(alice, topicIn(on, "todo")),
    await on.open(bob, topicIn(on, "todo")),
  ];
  const list = (page: Page) => page.getByRole("region", { name: "To-do list: Release" });
  await list(his).getByText("two sentences").waitFor();
  expect(await breachesIn(his)).toEqual([]);
  await list(his).getByLabel("Tag").focus();
  await his.keyboard.press("Space");
  await list(hers).getByRole("checkbox", { name: "Tag", checked: true }).waitFor();
  await list(hers).getByLabel("Another task").fill("Bake");
  await list(hers).getByLabel("Description (optional)").fill("a cake");
  await hers.keyboard.press("Enter");
  await list(his).getByText("a cake").waitFor();
  await list(his).getByRole("checkbox", { name: /Bake/, checked: false }).waitFor();
});

browserTest("a task that two check off at the same moment is done", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "together", "/todo Release\nTag\nNotes");
  const pages = [
    await on.open(alice, topicIn(on, "together")),
    await on.open(bob, topicIn(on, "together")),
  ] as const;
  const boxOf = (page: Page, name: string) => page.getByRole("checkbox", { name });
  const { promise: bothHaveClicked, resolve: letGo } = Promise.withResolvers<void>();
  for (const page of pages)
    await page.route("**/api/v1/submessage", async (route) => {
      await bothHaveClicked;
      await route.continue();
    });
  for (const page of pages) {
    const asked = page.waitForRequest("**/api/v1/submessage");
    await boxOf(page, "Tag").click();
    await asked;
  }
  letGo();
  const { body } = await alice.get("/messages", { anchor: "newest", num_before: 1, num_after: 0 });
  const strikes = async () => {
    const { message } = (await alice.get(`/messages/${body.messages[0].id}`)).body;
    return message.submessages.length - 1;
  };
  // Both strikes, and the third one of whose came second.
  await until(async () => (await strikes()) === 3);
  for (const page of pages)
    await page.getByRole("checkbox", { name: "Tag", checked: true }).waitFor();
  // Nobody has anything more to strike, and one alone takes it back.
  await boxOf(pages[1], "Tag").click();
  for (const page of pages)
    await page.getByRole("checkbox", { name: "Tag", checked: false }).waitFor();
  expect(await strikes()).toBe(4);
});

/**
 * A to-do list of Alice's with one task, a tab of Bob's at it, and what is known of the strikes.
 */
async function listWithTask(name: string) {
  const { alice, bob } = on.world;
  const id = await alice.say("general", name, "/todo Release\nTag");
  const page = await on.open(bob, topicIn(on, name));
  const strikeBy = async (person: Person) => {
    const content = JSON.stringify({ type: "strike", key: "0,canned" });
    const asked = { message_id: id, msg_type: "widget", content };
    expect((await person.post("/submessage", asked)).status).toBe(200);
  };
  const strikes = async () => {
    const { message } = (await alice.get(`/messages/${id}`)).body;
    return message.submessages.length - 1;
  };
  /** Waits until the task has been struck so many times. */
  const untilStruck = (count: number) => until(async () => (await strikes()) === count);
  return { page, tag: page.getByRole("checkbox", { name: "Tag" }), strikeBy, untilStruck };
}

/** Holds strikes of a tab: each answers how to let it go on. */
async function holdStrikes(page: Page) {
  const held: (() => void)[] = [];
  await page.route("**/api/v1/submessage", async (route) => {
    await new Promise<void>((letGo) => held.push(letGo));
    await route.continue();
  });
  return async () => {
    await until(async () => held.length > 0);
    return held.shift();
  };
}

browserTest("a task that three check off at the same moment is done", async () => {
  const { alice, carol } = on.world;
  const { page, tag, strikeBy, untilStruck } = await listWithTask("three");
  const nextHeld = await holdStrikes(page);
  await tag.click();
  const first = await nextHeld();
  await strikeBy(alice);
  first?.();
  // Bob's has undone hers, and so he strikes once more; Carol's comes before that one.
  const second = await nextHeld();
  await strikeBy(carol);
  second?.();
  (await nextHeld())?.();
  await untilStruck(5);
  await page.getByRole("checkbox", { name: "Tag", checked: true }).waitFor();
});

browserTest("who leaves a list has their task checked off all the same", async () => {
  const { alice } = on.world;
  const { page, tag, strikeBy, untilStruck } = await listWithTask("leaving");
  const nextHeld = await holdStrikes(page);
  await tag.click();
  const first = await nextHeld();
  await page.evaluate(() => location.assign("#drafts"));
  await tag.waitFor({ state: "detached" });
  await strikeBy(alice);
  first?.();
  (await nextHeld())?.();
  await untilStruck(3);
});

browserTest(
  "a strike that arrives late is not repeated, because others may have decided",
  async () => {
    on.newBrowsers();
    const { alice } = on.world;
    const { page, tag, strikeBy, untilStruck } = await listWithTask("late");
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/api/v1/submessage")) asked += 1;
    });
    await page.clock.install();
    const nextHeld = await holdStrikes(page);
    await tag.click();
    const first = await nextHeld();
    await page.clock.fastForward(18_000);
    await strikeBy(alice);
    first?.();
    await untilStruck(2);
    await page.getByRole("checkbox", { name: "Tag", checked: false }).waitFor();
    await alice.say("general", "late", "After both");
    await page.getByRole("article").filter({ hasText: "After both" }).waitFor();
    expect(asked).toBe(1);
  },
);

browserTest("a second click, before the first has arrived, takes it back", async () => {
  const { page, tag, untilStruck } = await listWithTask("twice");
  const nextHeld = await holdStrikes(page);
  await tag.click();
  const first = await nextHeld();
  await page.getByRole("checkbox", { name: "Tag", checked: true }).click();
  await page.getByRole("checkbox", { name: "Tag", checked: false }).waitFor();
  first?.();
  (await nextHeld())?.();
  await untilStruck(2);
  await page.getByRole("checkbox", { name: "Tag", checked: false }).waitFor();
});

/** Holds what a tab does with widgets until that is let go, in the order in which it was done. */
async function holdActs(page: Page) {
  const isLetGo = Promise.withResolvers<void>();
  let before = isLetGo.promise;
  await page.route("**/api/v1/submessage", async (route) => {
    before = before.then(() => route.continue());
    await before;
  });
  return isLetGo.resolve;
}

browserTest(
  "answers and tasks that are added fast all come, and so does a new question",
  async () => {
    const { alice, bob } = on.world;
    await bob.say("general", "fast", "/poll Lunch?\nSoup");
    await bob.say("general", "fast", "/todo Trip\nPack");
    const [hers, his] = [
      await on.open(alice, topicIn(on, "fast")),
      await on.open(bob, topicIn(on, "fast")),
    ];
    for (const page of [hers, his]) await page.getByRole("region", { name: "Trip" }).waitFor();
    const letGo = [await holdActs(hers), await holdActs(his)];
    const poll = hers.getByRole("region", { name: "Poll: Lunch?" });
    const list = hers.getByRole("region", { name: "To-do list: Trip" });
    const answer = poll.getByLabel("Another answer");
    const task = list.getByLabel("Another task");
    for (const name of ["Rice", "Stew", "Soup"]) {
      await answer.fill(name);
      await answer.press("Enter");
    }
    await hers.getByText("This is already in the list.").waitFor();
    for (const name of ["Book", "Ride"]) {
      await task.fill(name);
      await task.press("Enter");
    }
    await answer.fill("Begun");
    const question = his.getByRole("region", { name: "Poll: Lunch?" });
    await question.getByRole("button", { name: "Change the question" }).click();
    await his.getByLabel("Question", { exact: true }).fill("Dinner?");
    await his.keyboard.press("Enter");
    await his.getByLabel("Question", { exact: true }).fill("Dinner today?");
    for (const go of letGo) go();
    const asked = hers.getByRole("region", { name: "Poll: Dinner?" });
    for (const name of ["Rice", "Stew"])
      await asked.getByRole("button", { name: `${name}: 0 votes` }).waitFor();
    for (const name of ["Book", "Ride"]) await list.getByRole("checkbox", { name }).waitFor();
    expect(await asked.getByLabel("Another answer").inputValue()).toBe("Begun");
    await his.getByRole("region", { name: "Poll: Dinner?" }).waitFor();
    expect(await his.getByLabel("Question", { exact: true }).inputValue()).toBe("Dinner today?");
  },
);

browserTest("an answer that is refused stands in its field again", async () => {
  const { alice, bob } = on.world;
  await bob.say("general", "refused", "/poll Drinks?\nTea");
  const page = await on.open(alice, topicIn(on, "refused"));
  const answer = page.getByLabel("Another answer");
  const refused = { status: 400, json: { code: "BAD_REQUEST", msg: "Not now." } };
  await page.route("**/api/v1/submessage", (route) => route.fulfill(refused));
  await answer.fill("Cocoa");
  await answer.press("Enter");
  await page.getByText("Not now.").waitFor();
  await eventually(async () => expect(await answer.inputValue()).toBe("Cocoa"));
  await page.unrouteAll();
  await answer.press("Enter");
  await page.getByRole("button", { name: "Cocoa: 0 votes" }).waitFor();
  await eventually(async () => expect(await answer.inputValue()).toBe(""));
});

browserTest("a vote is seen at once, and a second click takes it back", async () => {
  const { alice, bob } = on.world;
  await bob.say("general", "votes", "/poll Tea?\nYes");
  const [hers, his] = [
    await on.open(alice, topicIn(on, "votes")),
    await on.open(bob, topicIn(on, "votes")),
  ];
  const vote = (page: Page, count: string, pressed: boolean) =>
    page.getByRole("button", { name: `Yes: ${count}`, pressed });
  await vote(hers, "0 votes", false).waitFor();
  const letGo = await holdActs(hers);
  await vote(hers, "0 votes", false).click();
  await vote(hers, "1 vote", true).click();
  await vote(hers, "0 votes", false).waitFor();
  letGo();
  await vote(his, "0 votes", false).click();
  for (const [page, isOwn] of [
    [hers, false],
    [his, true],
  ] as const)
    await vote(page, "1 vote", isOwn).waitFor();
  const refused = { status: 400, json: { code: "BAD_REQUEST", msg: "No more votes." } };
  await his.route("**/api/v1/submessage", (route) => route.fulfill(refused));
  await vote(his, "1 vote", true).click();
  await his.getByText("No more votes.").waitFor();
  await vote(his, "1 vote", true).waitFor();
});

browserTest("code is copied, and opened where it can be run", async () => {
  const { alice, bob, olga } = on.world;
  const made = await olga.post("/realm/playgrounds", {
    name: "Playpen",
    pygments_language: "Rust",
    url_template: "https://play.example.com/?code={code}",
  });
  expect(made.status).toBe(200);
  await bob.say("general", "code", "```rust\nfn main() {}\n```");
  const page = await on.open(alice, topicIn(on, "code"));
  const run = page.getByRole("link", { name: "Run in Playpen" });
  await run.waitFor();
  expect(await run.getAttribute("href")).toBe(
    `https://play.example.com/?code=${encodeURIComponent("fn main() {}\n")}`,
  );
  expect([await run.getAttribute("target"), await run.getAttribute("rel")]).toEqual([
    "_blank",
    "noopener noreferrer",
  ]);
  await page.locator(".codehilite").hover();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
});

browserTest("a poll is told by its question, to a voice and in the palette", async () => {
  const { alice, bob } = on.world;
  const page = await on.open(bob, topicIn(on, "drinks"));
  await box(page).waitFor();
  await alice.say("general", "drinks", "/poll Cocoa or coffee?\nCocoa\nCoffee");
  const spoken = page.locator("[aria-live=polite].visually-hidden");
  await spoken.filter({ hasText: "Cocoa or coffee?" }).waitFor({ state: "attached" });
  expect(await spoken.textContent()).not.toContain("/poll");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("cocoa");
  const hit = page.getByRole("option").filter({ hasText: "Cocoa or coffee?" });
  await hit.waitFor();
  expect(await hit.textContent()).not.toContain("/poll");
  // A message that only looks like one is told as it is.
  await page.keyboard.press("Escape");
  await alice.say("general", "drinks", "`/poll` is how");
  await spoken.filter({ hasText: "/poll is how" }).waitFor({ state: "attached" });
});
