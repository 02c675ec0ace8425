import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, rowOf, stage, topicIn } from "../browser";
import { holdAnswer } from "../held-answer";
import { eventually } from "../waiting";

const on = stage({}, { pagesGoOn: true });

const go = (page: Page, fragment: string) => page.evaluate((at) => location.assign(at), fragment);

browserTest(
  "a search marks what it finds, and what is sent joins it where it belongs",
  async () => {
    const { alice, bob } = on.world;
    await alice.say("general", "lunch", "There is pumpkin soup.");
    const page = await on.open(bob, "#narrow/search/pumpkin");
    await rowOf(page, "pumpkin soup").locator(".highlight", { hasText: "pumpkin" }).waitFor();
    await alice.say("general", "lunch", "No vegetable in this one.");
    await alice.say("general", "dinner", "Pumpkin again!");
    await rowOf(page, "again!").locator(".highlight", { hasText: "Pumpkin" }).waitFor();
    await eventually(async () => expect(await rowOf(page, "No vegetable").count()).toBe(0));
  },
);

browserTest("messages of a move that are not answered are asked for once", async () => {
  const { alice, bob, olga } = on.world;
  const moved = await alice.say("general", "attic", "About boxes");
  await alice.say("general", "cellar", "About bottles");
  // A page that has gone on would have heard of the message before it is moved.
  const page = await on.openIn(await on.newTab(bob), topicIn(on, "cellar"));
  await rowOf(page, "About bottles").waitFor();
  let count = 0;
  await page.route("**/api/v1/messages?*message_ids=*", async (route) => {
    count += 1;
    await route.fulfill({ json: { result: "success", msg: "", messages: [] } });
  });
  const asked = page.waitForResponse((response) => response.url().includes("message_ids="));
  const change = { topic: "cellar", propagate_mode: "change_one" };
  expect((await olga.patch(`/messages/${moved}`, change)).status).toBe(200);
  await asked;
  for (const text of ["One more", "And one more"]) {
    await alice.say("general", "cellar", text);
    await rowOf(page, text).waitFor();
  }
  expect(count).toBe(1);
});

browserTest("a message that is moved leaves the one topic and joins the other", async () => {
  const { alice, bob, carol, olga } = on.world;
  const first = await alice.say("general", "travel", "By train");
  const moved = await alice.say("general", "travel", "About trees");
  await alice.say("general", "garden", "About flowers");
  const his = await on.open(bob, topicIn(on, "travel"));
  const hers = await on.open(carol, topicIn(on, "garden"));
  await rowOf(his, "About trees").waitFor();
  await rowOf(hers, "About flowers").waitFor();
  const change = { topic: "garden", propagate_mode: "change_one" };
  expect((await olga.patch(`/messages/${moved}`, change)).status).toBe(200);
  await rowOf(hers, "About trees").waitFor();
  await rowOf(his, "About trees").waitFor({ state: "detached" });
  await eventually(async () =>
    expect(await hers.getByRole("article").first().textContent()).toContain("About trees"),
  );
  await go(his, `${topicIn(on, "elsewhere")}/with/${first}`);
  await rowOf(his, "By train").waitFor();
  expect(new URL(his.url()).hash).toBe(topicIn(on, "travel"));
});

browserTest("a link to a message opens there, with the message that keys act on", async () => {
  const { alice, bob } = on.world;
  const ids: number[] = [];
  for (let index = 0; index < 130; index += 1)
    ids.push(await alice.say("general", "links", `Number ${index} of them`));
  const page = await on.open(bob, `${topicIn(on, "links")}/near/${ids[30]}`);
  const row = rowOf(page, "Number 30 of them");
  await row.waitFor();
  await eventually(async () => expect(await row.locator(".row.focused").count()).toBe(1));
  const { y } = (await row.locator(".row").boundingBox()) ?? { y: 0 };
  const feed = (await page.locator(".feed").boundingBox()) ?? { y: 0 };
  expect(Math.abs(y - feed.y - 120)).toBeLessThanOrEqual(1);
});

browserTest("a link to a message that was deleted says so, and opens its topic", async () => {
  const { alice, bob, olga } = on.world;
  await alice.say("general", "cellar stairs", "Seven of them");
  const gone = await alice.say("general", "cellar stairs", "One is loose");
  const there = await alice.say("general", "cellar stairs", "It is mended");
  expect((await olga.delete(`/messages/${gone}`)).status).toBe(200);
  const page = await on.open(bob, `${topicIn(on, "cellar.20stairs")}/near/${there}`);
  await rowOf(page, "It is mended").waitFor();
  const notice = page.getByText("The message of this link was deleted, or you may not read it.");
  await go(page, `${topicIn(on, "cellar.20stairs")}/near/${gone}`);
  await notice.waitFor();
  await rowOf(page, "Seven of them").waitFor();
  await rowOf(page, "It is mended").waitFor();
  expect(await notice.count()).toBe(1);
});

/** Lets things happen of which the page is told, and which have to do with no link. */
async function goOn(page: Page, mark: string, subject = "cellar door"): Promise<void> {
  const { alice, bob, olga } = on.world;
  const subscriptions = [{ name: `after ${mark}` }];
  expect((await olga.post("/users/me/subscriptions", { subscriptions })).status).toBe(200);
  expect((await bob.patch("/settings", { twenty_four_hour_time: true })).status).toBe(200);
  await alice.say("general", subject, `Heard ${mark}`);
  await rowOf(page, `Heard ${mark}`).waitFor();
}

browserTest("a link is told to be of a deleted message once, and only if it is", async () => {
  const { alice, bob, olga } = on.world;
  const gone = await alice.say("general", "cellar door", "It creaks");
  const later = await alice.say("general", "cellar door", "It is oiled");
  const moved = await alice.say("general", "cellar door", "About the roof");
  const muted = await alice.say("general", "noise", "Nobody hears this");
  expect((await olga.delete(`/messages/${gone}`)).status).toBe(200);
  const change = { topic: "roof", propagate_mode: "change_one" };
  expect((await olga.patch(`/messages/${moved}`, change)).status).toBe(200);
  const mute = { stream_id: on.world.channels.general, topic: "noise", visibility_policy: 1 };
  expect((await bob.post("/user_topics", mute)).status).toBe(200);
  const page = await on.newTab(bob);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const askedFor = (id: number) => asked.filter((path) => path === `/api/v1/messages/${id}`).length;
  await on.openIn(page, `${topicIn(on, "cellar.20door")}/near/${gone}`);
  const notice = page.getByText("The message of this link was deleted, or you may not read it.");
  await notice.waitFor();
  await goOn(page, "once");
  expect(await notice.count()).toBe(1);
  for (const [id, place, text] of [
    [moved, "cellar.20door", "About the roof"],
    [muted, "noise", "Nobody hears this"],
    [later, "cellar.20door", "It is oiled"],
  ] as const) {
    await go(page, topicIn(on, "elsewhere"));
    await go(page, `${topicIn(on, place)}/near/${id}`);
    await rowOf(page, text).waitFor();
  }
  expect((await olga.delete(`/messages/${later}`)).status).toBe(200);
  await rowOf(page, "It is oiled").waitFor({ state: "detached" });
  await goOn(page, "again");
  expect(await notice.count()).toBe(1);
  expect([gone, moved, muted, later].map(askedFor)).toEqual([1, 1, 0, 0]);
});

browserTest(
  "a link to a deleted message that was opened offline is told of afterwards",
  async () => {
    const { alice, bob, olga } = on.world;
    const gone = await alice.say("general", "cellar lamp", "It flickers");
    await alice.say("general", "cellar lamp", "It shines");
    expect((await olga.delete(`/messages/${gone}`)).status).toBe(200);
    const page = await on.open(bob, topicIn(on, "elsewhere"));
    let isLost = true;
    await page.route(`**/api/v1/messages/${gone}?*`, (route) =>
      isLost ? route.abort() : route.continue(),
    );
    const lost = page.waitForRequest(`**/api/v1/messages/${gone}?*`);
    await go(page, `${topicIn(on, "cellar.20lamp")}/near/${gone}`);
    await lost;
    await rowOf(page, "It shines").waitFor();
    isLost = false;
    await alice.say("general", "cellar lamp", "It glows");
    await page.getByText("The message of this link was deleted").waitFor();
  },
);

browserTest(
  "an answer that comes late is not shown in the place that was gone to meanwhile",
  async () => {
    const { alice, bob } = on.world;
    await alice.say("general", "slow", "Only in slow");
    await alice.say("general", "fast", "Only in fast");
    const page = await on.open(bob, "#narrow/is/starred");
    const held = Promise.withResolvers<void>();
    await page.route("**/api/v1/messages?*slow*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await go(page, topicIn(on, "slow"));
    await go(page, topicIn(on, "fast"));
    await rowOf(page, "Only in fast").waitFor();
    const answered = page.waitForResponse("**/api/v1/messages?*slow*");
    held.resolve();
    await (await answered).finished();
    await eventually(async () => expect(await rowOf(page, "Only in slow").count()).toBe(0));
    await go(page, topicIn(on, "slow"));
    await rowOf(page, "Only in slow").waitFor();
  },
);

/** The answer that brings the page an event of a type. */
const eventIn = (page: Page, type: string) =>
  page.waitForResponse(
    async (response) =>
      response.url().includes("/api/v1/events?") && (await response.text()).includes(`"${type}"`),
  );

browserTest("a message that is moved away while it is loaded is not shown there", async () => {
  const { alice, bob, olga } = on.world;
  await alice.say("general", "harbour", "About ships");
  const moved = await alice.say("general", "harbour", "About shoes");
  const page = await on.open(bob, "#narrow/is/starred");
  const { asked, letGo } = await holdAnswer(page, "harbour");
  await go(page, topicIn(on, "harbour"));
  await asked();
  const told = eventIn(page, "update_message");
  const change = { topic: "market", propagate_mode: "change_one" };
  expect((await olga.patch(`/messages/${moved}`, change)).status).toBe(200);
  await (await told).finished();
  await letGo();
  await rowOf(page, "About ships").waitFor();
  expect(await rowOf(page, "About shoes").count()).toBe(0);
});

browserTest("a message whose star goes while it is loaded is not among the starred", async () => {
  const { alice, bob } = on.world;
  const star = async (op: string, messages: number[]) =>
    expect((await bob.post("/messages/flags", { messages, op, flag: "starred" })).status).toBe(200);
  const kept = await alice.say("general", "sky", "A star that stays");
  const lost = await alice.say("general", "sky", "A star that falls");
  await star("add", [kept, lost]);
  // A page that goes on may have loaded them already.
  const page = await on.openIn(await on.newTab(bob), topicIn(on, "elsewhere"));
  const { asked, letGo } = await holdAnswer(page, "starred");
  await go(page, "#narrow/is/starred");
  await asked();
  const told = eventIn(page, "update_message_flags");
  await star("remove", [lost]);
  await (await told).finished();
  await letGo();
  await rowOf(page, "A star that stays").waitFor();
  expect(await rowOf(page, "A star that falls").count()).toBe(0);
  await star("remove", [kept]);
});

for (const fragment of ["#narrow/moon/1", "#moon", "#narrow", "#recently/1", "#constructor"])
  browserTest(`${fragment}, which leads nowhere, opens home, and says so above it`, async () => {
    const page = await on.open(on.world.bob, fragment);
    const words = "This link does not lead anywhere here.";
    await page.getByRole("alert").filter({ hasText: words }).waitFor();
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    await eventually(async () => expect(await page.locator(".feed").count()).toBe(0));
    const heights = await page.evaluate(() =>
      [".lost", ".head"].map((part) => document.querySelector(part)?.clientHeight ?? 0),
    );
    expect(heights.every((height) => height > 20 && height < 80)).toBe(true);
  });

browserTest("a message that is marked as unread elsewhere joins the unread ones", async () => {
  const { alice, bob } = on.world;
  const flag = async (op: string, id: number) =>
    expect((await bob.post("/messages/flags", { messages: [id], op, flag: "read" })).status).toBe(
      200,
    );
  const again = await alice.say("general", "doubts", "To be thought of again");
  await flag("add", again);
  await alice.say("general", "doubts", "Not read yet");
  const page = await on.open(bob, "#narrow/is/unread");
  await rowOf(page, "Not read yet").waitFor();
  expect(await rowOf(page, "To be thought of again").count()).toBe(0);
  await flag("remove", again);
  await rowOf(page, "To be thought of again").waitFor();
  await rowOf(page, "Not read yet").waitFor();
});

browserTest(
  "a message to which somebody reacts joins the list of those, loaded or not",
  async () => {
    const { alice, bob } = on.world;
    const react = async (id: number) =>
      expect((await bob.post(`/messages/${id}/reactions`, { emoji_name: "tada" })).status).toBe(
        200,
      );
    const before = await alice.say("general", "praise", "Not loaded yet");
    await react(await alice.say("general", "praise", "Praised before"));
    const page = await on.open(alice, `#narrow/has/reaction/sender/${alice.id}-Alice`);
    await rowOf(page, "Praised before").waitFor();
    await react(before);
    await rowOf(page, "Not loaded yet").waitFor();
    await go(page, topicIn(on, "praise"));
    const after = await alice.say("general", "praise", "Loaded already");
    await rowOf(page, "Loaded already").waitFor();
    await react(after);
    await rowOf(page, "Loaded already").getByRole("button", { name: /tada/ }).waitFor();
    await page.goBack();
    await rowOf(page, "Loaded already").waitFor();
  },
);

/** Bob's choice for a topic: 0 for none, 1 to mute it, 3 to follow it. */
async function choose(topic: string, policy: number) {
  const { bob, channels } = on.world;
  const chosen = { stream_id: channels.general, topic, visibility_policy: policy };
  expect((await bob.post("/user_topics", chosen)).status).toBe(200);
}

browserTest("lists of followed and of muted topics follow what is chosen elsewhere", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "news", "Followed later");
  await alice.say("general", "olds", "Followed before");
  await choose("olds", 3);
  const page = await on.open(bob, "#narrow/is/followed");
  await rowOf(page, "Followed before").waitFor();
  await choose("news", 3);
  await rowOf(page, "Followed later").waitFor();
  await choose("olds", 0);
  await rowOf(page, "Followed before").waitFor({ state: "detached" });
  await go(page, "#narrow/is/muted");
  await choose("olds", 1);
  await rowOf(page, "Followed before").waitFor();
  await choose("olds", 0);
  await rowOf(page, "Followed before").waitFor({ state: "detached" });
  const ofChannel = { stream_id: on.world.channels.general, property: "is_muted", value: true };
  const muted = { subscription_data: [ofChannel] };
  expect((await bob.post("/users/me/subscriptions/properties", muted)).status).toBe(200);
  await rowOf(page, "Followed before").waitFor();
});

browserTest("messages of a muted channel come and go with its member", async () => {
  const { alice, bob } = on.world;
  const named = JSON.stringify([{ name: "trips" }]);
  const join = async () =>
    (await bob.post("/users/me/subscriptions", { subscriptions: named })).status;
  const leave = async () =>
    (await bob.delete("/users/me/subscriptions", { subscriptions: ["trips"] })).status;
  const principals = [alice.id, bob.id];
  const made = { subscriptions: named, principals };
  expect((await alice.post("/users/me/subscriptions", made)).status).toBe(200);
  const { stream_id } = (await bob.get("/get_stream_id", { stream: "trips" })).body;
  const muted = { subscription_data: [{ stream_id, property: "is_muted", value: true }] };
  expect((await bob.post("/users/me/subscriptions/properties", muted)).status).toBe(200);
  const sent = await alice.say("trips", "sea", "Of a muted channel");
  const page = await on.open(bob, "#narrow/is/muted");
  await rowOf(page, "Of a muted channel").waitFor();
  expect(await leave()).toBe(200);
  await rowOf(page, "Of a muted channel").waitFor({ state: "detached" });
  expect(await join()).toBe(200);
  await rowOf(page, "Of a muted channel").waitFor();
  await go(page, "#narrow/in/home");
  await page.getByRole("article").first().waitFor();
  expect(await rowOf(page, "Of a muted channel").count()).toBe(0);
  expect(await leave()).toBe(200);
  await rowOf(page, "Of a muted channel").waitFor();
  await bob.post(`/messages/${sent}/reactions`, { emoji_name: "tada" });
  await rowOf(page, "Of a muted channel").getByRole("button", { name: /tada/ }).waitFor();
});

browserTest(
  "a topic that is followed while the followed ones are loaded is among them",
  async () => {
    const { alice, bob } = on.world;
    await alice.say("general", "plans", "Followed meanwhile");
    const page = await on.open(bob);
    const { asked, letGo } = await holdAnswer(page, "followed");
    await go(page, "#narrow/is/followed");
    await asked();
    const told = eventIn(page, "user_topic");
    await choose("plans", 3);
    await (await told).finished();
    await letGo();
    await rowOf(page, "Followed meanwhile").waitFor();
  },
);

browserTest(
  "while followed topics are read anew, further choices wait for that one request",
  async () => {
    const { alice, bob } = on.world;
    for (const name of ["one", "two", "three", "four"])
      await alice.say("general", name, `About ${name}.`);
    await choose("one", 3);
    const page = await on.open(bob, "#narrow/is/followed");
    await rowOf(page, "About one.").waitFor();
    let count = 0;
    page.on("request", (request) => {
      if (request.url().includes("/messages?") && request.url().includes("followed")) count += 1;
    });
    const { asked, letGo } = await holdAnswer(page, "followed");
    for (const name of ["two", "three", "four"]) {
      const told = eventIn(page, "user_topic");
      await choose(name, 3);
      await (await told).finished();
      await asked();
    }
    expect(count).toBe(1);
    await letGo();
    await rowOf(page, "About four.").waitFor();
  },
);

browserTest(
  "a link to a message that was moved opens the topic in which it is now, at the message",
  async () => {
    const { alice, bob, olga } = on.world;
    const stayed = await alice.say("general", "shed", "About rakes");
    const moved = await alice.say("general", "shed", "About bees");
    await alice.say("general", "hives", "About honey");
    const change = { topic: "hives", propagate_mode: "change_one" };
    expect((await olga.patch(`/messages/${moved}`, change)).status).toBe(200);
    const page = await on.open(bob, `${topicIn(on, "shed")}/near/${stayed}`);
    await rowOf(page, "About rakes").waitFor();
    const entries = await page.evaluate(() => history.length);
    await go(page, `${topicIn(on, "shed")}/near/${moved}`);
    await page.waitForURL((url) => url.hash === `${topicIn(on, "hives")}/near/${moved}`);
    await rowOf(page, "About bees").locator(".row.focused").waitFor();
    await page.getByText("The message was moved here.").waitFor();
    await rowOf(page, "About honey").waitFor();
    expect(await page.evaluate(() => history.length)).toBe(entries + 1);
    await go(page, `${topicIn(on, "shed")}/near/${stayed}`);
    await rowOf(page, "About rakes").waitFor();
    // The message is in the browser now, and the server need not tell where it is.
    await go(page, `${topicIn(on, "shed")}/near/${moved}`);
    await page.waitForURL((url) => url.hash === `${topicIn(on, "hives")}/near/${moved}`);
    await page.goBack();
    await page.waitForURL((url) => url.hash === `${topicIn(on, "shed")}/near/${stayed}`);
    await rowOf(page, "About rakes").waitFor();
  },
);

browserTest("a reader stays in the topic when the message of their link is moved", async () => {
  const { alice, bob, olga } = on.world;
  const moved = await alice.say("general", "pond", "About frogs");
  await alice.say("general", "pond", "About carps");
  const page = await on.open(bob, `${topicIn(on, "pond")}/near/${moved}`);
  await rowOf(page, "About frogs").waitFor();
  const change = { topic: "frogs", propagate_mode: "change_one" };
  expect((await olga.patch(`/messages/${moved}`, change)).status).toBe(200);
  await rowOf(page, "About frogs").waitFor({ state: "detached" });
  await goOn(page, "at the pond", "pond");
  expect(new URL(page.url()).hash).toBe(`${topicIn(on, "pond")}/near/${moved}`);
});

browserTest("a writer stays in the topic of a link, and is told where its message is", async () => {
  const { alice, bob, olga } = on.world;
  const moved = await alice.say("general", "bakery", "About flour");
  await alice.say("general", "bakery", "About rolls");
  const change = { topic: "mill", propagate_mode: "change_one" };
  expect((await olga.patch(`/messages/${moved}`, change)).status).toBe(200);
  const page = await on.openIn(await on.newTab(bob), topicIn(on, "shed"));
  const link = `${topicIn(on, "bakery")}/near/${moved}`;
  const box = page.locator(".compose textarea");
  const notice = page.locator(".toast", {
    hasText: "The message of this link was moved to general › mill.",
  });
  const { asked, letGo } = await holdAnswer(page, `/messages/${moved}`);
  await go(page, link);
  await rowOf(page, "About rolls").waitFor();
  await asked();
  await box.focus();
  await letGo();
  await notice.waitFor();
  await page.keyboard.type("Fresh ones");
  expect(new URL(page.url()).hash).toBe(link);
  expect(await box.inputValue()).toBe("Fresh ones");
  await notice.locator(".tool").click();
  await go(page, topicIn(on, "mill"));
  await rowOf(page, "About flour").waitFor();
  // The message is in the browser now, and the text in the box of its former topic.
  await go(page, link);
  await notice.waitFor();
  expect(new URL(page.url()).hash).toBe(link);
});

browserTest("Back to a topic that was renamed since opens it under its new name", async () => {
  const { alice, bob } = on.world;
  const renamed = await alice.say("general", "voyage", "About ships");
  await alice.say("general", "harvest", "About apples");
  const page = await on.open(bob, topicIn(on, "voyage"));
  await rowOf(page, "About ships").waitFor();
  await go(page, topicIn(on, "harvest"));
  await rowOf(page, "About apples").waitFor();
  const change = { topic: "cruise", propagate_mode: "change_all" };
  expect((await alice.patch(`/messages/${renamed}`, change)).status).toBe(200);
  await alice.say("general", "harvest", "About pears");
  await rowOf(page, "About pears").waitFor();
  await page.goBack();
  await page.waitForURL((url) => url.hash === topicIn(on, "cruise"));
  await rowOf(page, "About ships").waitFor();
  await page.getByText("The topic was moved here.").first().waitFor();
  // The former name is there to begin anew.
  await go(page, topicIn(on, "voyage"));
  await page.getByText("No messages here yet.").waitFor();
  await page.locator(".compose textarea").fill("Anchors up");
  await page.keyboard.press("Control+Enter");
  await rowOf(page, "Anchors up").locator("time").waitFor();
  expect(await page.evaluate(() => location.hash)).toBe(topicIn(on, "voyage"));
});
