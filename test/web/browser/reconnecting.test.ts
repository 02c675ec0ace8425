import { expect } from "bun:test";
import type { Page, Route } from "playwright-core";
import type { Person } from "../../support/world";
import { browserTest, rowOf, stage } from "../browser";
import { holdAnswer } from "../held-answer";
import { until } from "../waiting";

/* The page after its event queue has ended, with the events that it has not had. */

const on = stage();
const events = "**/api/v1/events?*";

const channel = () => `#narrow/channel/${on.world.channels.general}-general`;

/** Ends the queue that a page polls, once something has happened of which it is told nothing. */
async function endQueue(person: Person, page: Page, meanwhile: () => Promise<unknown>) {
  const queue = await page.evaluate(
    () => JSON.parse(document.getElementById("snapshot")?.textContent ?? "").queue_id,
  );
  await page.route(events, (route) => route.abort());
  on.network.cut();
  on.network.mend();
  await meanwhile();
  expect((await person.delete("/events", { queue_id: queue })).status).toBe(200);
  await page.unroute(events);
}

browserTest("a sent message whose event is lost stands there once", async () => {
  const { alice } = on.world;
  const page = await on.open(alice, `${channel()}/topic/lost`);
  // The page asks for a message whose event does not come after so long: here it never does.
  await page.evaluate(() => {
    const later = window.setTimeout.bind(window);
    const shortly = (run: () => void, after = 0) => (after >= 5_000 ? 0 : later(run, after));
    window.setTimeout = Object.assign(shortly, window.setTimeout);
  });
  await endQueue(alice, page, async () => {
    const answered = page.waitForResponse((response) => response.url().endsWith("/messages"));
    await page.locator(".compose textarea").fill("Said into the wind");
    await page.keyboard.press("Control+Enter");
    expect((await answered).status()).toBe(200);
    expect(await rowOf(page, "Said into the wind").count()).toBe(1);
  });
  await rowOf(page, "Said into the wind").locator("time").waitFor();
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll("article, .outgoing")].filter(({ textContent }) =>
        textContent?.includes("Said into the wind"),
      ).length === 1,
  );
});

browserTest("a message is not taken for one with its words that went out before", async () => {
  const { alice } = on.world;
  const page = await on.open(alice, `${channel()}/topic/twice`);
  const say = async () => {
    await page.locator(".compose textarea").fill("Yes!");
    await page.keyboard.press("Control+Enter");
  };
  await endQueue(alice, page, async () => {
    const answered = page.waitForResponse((response) => response.url().endsWith("/messages"));
    await say();
    expect((await answered).status()).toBe(200);
    const failed = page.waitForEvent("requestfailed", (one) => one.url().endsWith("/messages"));
    on.network.cut();
    await say();
    await failed;
  });
  on.network.mend();
  await page.getByRole("button", { name: "Send it" }).click();
  await until(async () => (await rowOf(page, "Yes!").locator("time").count()) === 2);
});

browserTest("a message that is moved here while the view is loaded anew is there", async () => {
  const { alice, bob, olga } = on.world;
  await alice.say("general", "kitchen", "About plates");
  const moved = await alice.say("general", "garage", "About pans");
  await alice.say("general", "kitchen", "About pots");
  const page = await on.open(bob, `${channel()}/topic/kitchen`);
  await rowOf(page, "About pots").waitFor();
  const { asked, letGo } = await holdAnswer(page, "num_before=100&num_after=0");
  await endQueue(bob, page, async () => undefined);
  await asked();
  const change = { topic: "kitchen", propagate_mode: "change_one" };
  expect((await olga.patch(`/messages/${moved}`, change)).status).toBe(200);
  await rowOf(page, "About pans").waitFor();
  const newer = page.waitForResponse((response) => response.url().includes("num_before=0"));
  await letGo();
  await (await newer).finished();
  await rowOf(page, "About plates").waitFor();
  await rowOf(page, "About pans").waitFor();
});

browserTest("a view that is first loaded while events are missed has them, too", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "garden", "About roses");
  const page = await on.open(bob, channel());
  const { asked, letGo } = await holdAnswer(page, "garden");
  await page.evaluate((at) => location.assign(at), `${channel()}/topic/garden`);
  await asked();
  const renewed = page.waitForResponse((response) => response.url().endsWith("/register"));
  await endQueue(bob, page, () => alice.say("general", "garden", "About tulips"));
  await (await renewed).finished();
  await letGo();
  await rowOf(page, "About roses").waitFor();
  await rowOf(page, "About tulips").waitFor();
});

browserTest("a view whose messages have all left it meanwhile has the newer ones", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "inbox", "About ladders");
  const page = await on.open(bob, "#narrow/is/unread");
  await rowOf(page, "About ladders").waitFor();
  await endQueue(bob, page, async () => {
    expect((await bob.post("/mark_all_as_read")).status).toBe(200);
    await alice.say("general", "inbox", "About hammers");
  });
  await rowOf(page, "About hammers").waitFor();
  expect(await rowOf(page, "About ladders").count()).toBe(0);
});

browserTest("a topic that is resolved meanwhile is followed, with the text for it", async () => {
  const { alice, bob } = on.world;
  const id = await alice.say("general", "release", "First words");
  const page = await on.open(bob, `${channel()}/topic/release`);
  await rowOf(page, "First words").waitFor();
  const box = page.locator(".compose textarea");
  await box.fill("My half answer");
  await endQueue(bob, page, () =>
    alice.patch(`/messages/${id}`, { topic: "✔ release", propagate_mode: "change_all" }),
  );
  await page.waitForURL((url) => url.hash.endsWith("/topic/.E2.9C.94.20release"));
  await rowOf(page, "First words").waitFor();
  expect(await box.inputValue()).toBe("My half answer");
  await box.press("Control+Enter");
  await rowOf(page, "My half answer").locator("time").waitFor();
  const { topics } = (await bob.get(`/users/me/${on.world.channels.general}/topics`)).body;
  const names = topics.map(({ name }: { name: string }) => name);
  expect(names).toContain("✔ release");
  expect(names).not.toContain("release");
});

browserTest("a message that waits for the network goes to the new name of its topic", async () => {
  const { alice, bob, channels } = on.world;
  const id = await alice.say("general", "outing", "Where to?");
  const page = await on.open(bob, `${channel()}/topic/outing`);
  await rowOf(page, "Where to?").waitFor();
  const failed = page.waitForEvent("requestfailed", (one) => one.url().includes("/events"));
  on.network.cut();
  await failed;
  await page.getByText("Cannot reach the server").first().waitFor();
  await page.locator(".compose textarea").fill("To the lake");
  await page.keyboard.press("Control+Enter");
  await rowOf(page, "To the lake").or(page.locator(".outgoing")).first().waitFor();
  const change = { topic: "✔ outing", propagate_mode: "change_all" };
  expect((await alice.patch(`/messages/${id}`, change)).status).toBe(200);
  on.network.mend();
  await rowOf(page, "To the lake").locator("time").waitFor();
  const { topics } = (await bob.get(`/users/me/${channels.general}/topics`)).body;
  const names = topics.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => name.includes("outing"))).toEqual(["✔ outing"]);
});

/** Begins to change a message in its topic, and types on. */
async function change(page: Page, text: string, more: string) {
  await rowOf(page, text).waitFor();
  await page.locator(".compose textarea").press("ArrowUp");
  const box = page.getByRole("textbox", { name: "Text of the message" });
  await until(async () => (await box.inputValue()) === text);
  await box.press("End");
  await box.pressSequentially(more);
  return box;
}

const lostText = (page: Page) => page.getByRole("textbox", { name: "The message is gone" });

browserTest("a text for a message that was deleted meanwhile is shown, to be copied", async () => {
  const { alice, olga } = on.world;
  const deleted = await alice.say("general", "plans", "We meet");
  const page = await on.open(alice, `${channel()}/topic/plans`);
  await change(page, "We meet", " at noon, in the old hall.");
  await endQueue(alice, page, () => olga.delete(`/messages/${deleted}`));
  await lostText(page).waitFor();
  expect(await lostText(page).inputValue()).toBe("We meet at noon, in the old hall.");
});

browserTest("a text that a closed page has left for a message is shown, too", async () => {
  const { alice, olga } = on.world;
  const deleted = await alice.say("general", "attic", "We tidy");
  const page = await on.open(alice, `${channel()}/topic/attic`);
  await change(page, "We tidy", " up tomorrow.");
  await page.goto("about:blank");
  expect((await olga.delete(`/messages/${deleted}`)).status).toBe(200);
  await on.openIn(page, channel());
  await lostText(page).waitFor();
  expect(await lostText(page).inputValue()).toBe("We tidy up tomorrow.");
});

browserTest("a text that somebody else has given a message meanwhile is shown", async () => {
  const { alice } = on.world;
  const id = await alice.say("general", "menu", "Soup");
  const page = await on.open(alice, `${channel()}/topic/menu`);
  const box = await change(page, "Soup", " and bread");
  await endQueue(alice, page, () => alice.patch(`/messages/${id}`, { content: "Soup and cake" }));
  await page.getByRole("alert").getByText("Soup and cake").waitFor();
  expect(await box.inputValue()).toBe("Soup and bread");
});

browserTest("newer messages that cannot be loaded are told below the last one", async () => {
  const { alice, bob } = on.world;
  const first = await alice.say("general", "stairs", "Step 0");
  for (let number = 1; number < 160; number += 1)
    await alice.say("general", "stairs", `Step ${number}`);
  const page = await on.open(bob, `${channel()}/topic/stairs/near/${first}`);
  await rowOf(page, "Step 0").first().waitFor();
  const busy = { status: 503, json: { result: "error", code: "BUSY", msg: "Later." } };
  const newer = "**/api/v1/messages?*num_before=0&num_after=100*";
  const isAsked = page.waitForRequest((request) => request.url().includes("num_before=0"));
  await page.route(newer, (route) => route.fulfill(busy));
  await page.locator(".feed").evaluate((feed) => feed.scrollTo(0, feed.scrollHeight));
  await isAsked;
  const notice = page.getByRole("article").last().getByRole("alert");
  await notice.waitFor();
  await page.unroute(newer);
  await notice.getByRole("button", { name: "Try again" }).click();
  await rowOf(page, "Step 159").waitFor();
  expect(await page.getByRole("feed").getByRole("alert").count()).toBe(0);
});

browserTest("the people of a channel are there again", async () => {
  const { alice, bob, olga } = on.world;
  const page = await on.open(bob, channel());
  await page.setViewportSize({ width: 1440, height: 900 });
  const people = page.getByRole("complementary", { name: "People" });
  await people.getByRole("heading", { name: /^In general/ }).waitFor();
  const subscriptions = JSON.stringify(["general"]);
  await endQueue(bob, page, () =>
    olga.delete("/users/me/subscriptions", { subscriptions, principals: [alice.id] }),
  );
  await people.getByRole("link", { name: /Alice/ }).waitFor({ state: "detached" });
  await people.getByRole("heading", { name: /^In general/ }).waitFor();
  await olga.post("/users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
    principals: [alice.id],
  });
  await people.getByRole("link", { name: /Alice/ }).waitFor();
});

browserTest("recent conversations that were on their way have the newest too", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "older", "Before");
  const page = await on.open(bob, `${channel()}/topic/older`);
  await rowOf(page, "Before").waitFor();
  const { asked, letGo } = await holdAnswer(page, "num_before=200");
  await page.keyboard.press("t");
  await asked();
  const renewed = page.waitForResponse((response) => response.url().endsWith("/register"));
  await endQueue(bob, page, () => alice.say("general", "newer", "Meanwhile"));
  await renewed;
  await letGo();
  const list = page.getByRole("region", { name: "Recent" });
  await list.getByRole("link", { name: /newer/ }).waitFor();
});

browserTest("lists that were not loaded say so, and come when the server is back", async () => {
  const { alice, bob, olga, channels } = on.world;
  const made = { subscriptions: [{ name: "cellar" }], principals: [alice.id, bob.id] };
  expect((await olga.post("/users/me/subscriptions", made)).status).toBe(200);
  const cellar = (await olga.get("/get_stream_id", { stream: "cellar" })).body.stream_id;
  await alice.say("cellar", "wine", "About corks");
  await alice.say("general", "kitchen", "About bowls");
  const page = await on.open(bob, `#channels/${channels.general}`);
  const goTo = (hash: string) => page.evaluate((to) => location.assign(to), hash);
  const people = page.getByRole("region", { name: "People" });
  await people.waitFor();
  const failed = page.waitForEvent("requestfailed", (one) => one.url().includes("/members"));
  on.network.cut();
  await goTo(`#channels/${cellar}`);
  await failed;
  on.network.mend();
  await page.getByRole("heading", { level: 2, name: "cellar" }).waitFor();
  await people.waitFor();
  const pane = page.getByRole("region", { name: "Topics" });
  on.network.cut();
  await goTo(`#topics/channel/${cellar}-cellar`);
  await pane.getByRole("alert").getByText("Not loaded").waitFor();
  on.network.mend();
  await pane.getByRole("link", { name: "wine" }).waitFor();
  await page.route("**/topics?*", (route) => route.abort(), { times: 1 });
  await goTo(`#topics/channel/${channels.general}-general`);
  await pane.getByRole("button", { name: "Try again" }).click();
  await pane.getByRole("link", { name: "kitchen" }).waitFor();
});

browserTest("a button to try again has the keyboard's focus again where that fails", async () => {
  const { alice, bob, channels } = on.world;
  await alice.say("general", "keyboard", "About keys");
  const page = await on.open(bob, "#inbox");
  await page.route("**/topics?*", (route) => route.abort(), { times: 2 });
  await page.evaluate((to) => location.assign(to), `#topics/channel/${channels.general}-general`);
  const pane = page.getByRole("region", { name: "Topics" });
  const again = pane.getByRole("button", { name: "Try again" });
  await again.focus();
  const failed = page.waitForEvent("requestfailed", (one) => one.url().includes("/topics"));
  await page.keyboard.press("Enter");
  await failed;
  await page.waitForFunction(() => document.activeElement?.textContent === "Try again");
  await page.keyboard.press("Enter");
  await pane.getByRole("link", { name: "keyboard" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("main"));
});

/** Sends a message that the server refuses when the returned function is called. */
async function sendInVain(page: Page, text: string) {
  const { promise: isRefused, resolve: refuse } = Promise.withResolvers<void>();
  const refusal = { status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "Not this." } };
  const answer = async (route: Route) => {
    await isRefused;
    await route.fulfill(refusal);
  };
  await page.route("**/api/v1/messages", answer, { times: 1 });
  const asked = page.waitForRequest((one) => one.url().endsWith("/messages"));
  await page.locator(".compose textarea").fill(text);
  await page.keyboard.press("Control+Enter");
  await asked;
  return refuse;
}

const focusIsIn = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);

browserTest("a button to try again takes no focus once another key was pressed", async () => {
  const page = await on.open(on.world.alice, `${channel()}/topic/refusals`);
  const again = page.getByRole("button", { name: "Try again" });
  const refuseFirst = await sendInVain(page, "The first one");
  refuseFirst();
  await again.focus();
  await page.keyboard.press("Enter");
  await rowOf(page, "The first one").locator("time").waitFor();
  await focusIsIn(page, "main");
  const refuseSecond = await sendInVain(page, "The second one");
  await page.locator(".compose textarea").blur();
  await focusIsIn(page, "main");
  refuseSecond();
  await again.waitFor();
  await focusIsIn(page, "main");
});

browserTest("a button that may send a message twice takes no focus", async () => {
  const { alice } = on.world;
  const page = await on.open(alice, `${channel()}/topic/doubts`);
  const refuse = await sendInVain(page, "Only once");
  refuse();
  await page.getByRole("button", { name: "Try again" }).focus();
  await endQueue(alice, page, async () => {
    const failed = page.waitForEvent("requestfailed", (one) => one.url().endsWith("/messages"));
    on.network.cut();
    await page.keyboard.press("Enter");
    await failed;
  });
  on.network.mend();
  await page.getByRole("button", { name: "Send it" }).waitFor();
  await focusIsIn(page, "main");
});

browserTest(
  "topics that cannot be loaded are asked for once for each key that is typed",
  async () => {
    const page = await on.open(on.world.bob, `${channel()}/topic/pantry`);
    let asked = 0;
    await page.route("**/topics?*", (route) => {
      asked += 1;
      return route.abort();
    });
    const box = page.locator(".compose textarea");
    await box.fill("#**general");
    const refused = page.waitForEvent("requestfailed", (one) => one.url().includes("/topics"));
    await box.pressSequentially(">");
    await refused;
    await page.evaluate(async () => {
      const frame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
      for (let count = 0; count < 20; count++) await frame();
    });
    expect(asked).toBe(1);
  },
);
