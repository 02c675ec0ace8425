import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { notifications as words } from "../../../src/web/words/en/notifications";
import type { Person } from "../../support/world";
import { browserTest, rowOf, stage, topicIn } from "../browser";
import {
  clickOnScreen,
  holdPictures,
  letPicturesLoad,
  openInDesktopApp,
  readTold,
} from "../desktop-app";
import { openScreen, readScreen, screenHas } from "../notification-screen";
import { eventually, until } from "../waiting";

const on = stage();

const iconOf = (page: Page) =>
  page
    .locator('link[rel="icon"]')
    .evaluate((link) => decodeURIComponent(link.getAttribute("href") ?? ""));

/** Waits until the icon of a tab is as it is meant to be. */
const iconHas = (page: Page, part: string) =>
  page.waitForFunction(
    (text) =>
      decodeURIComponent(
        document.querySelector('link[rel="icon"]')?.getAttribute("href") ?? "",
      ).includes(text),
    part,
  );

browserTest("the tab tells Bob how much is unread, and his choice is heard at once", async () => {
  const { alice, bob } = on.world;
  await bob.post("/mark_all_as_read", {});
  const page = await on.open(bob, "#recent");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await alice.say("general", "lunch", "soup");
  await alice.say("general", "lunch", "@**Bob** soup");
  await page.waitForFunction(() => /^\(2\) Recent.* · /.test(document.title));
  await iconHas(page, ">2</text>");
  await bob.patch("/settings", { desktop_icon_count_display: 3 });
  await iconHas(page, ">1</text>");
  await bob.patch("/settings", { desktop_icon_count_display: 4 });
  await page.waitForFunction(() => document.title.startsWith("Recent"));
  expect(await iconOf(page)).not.toMatch(/<circle|>\d+<\/text>/);
  await bob.patch("/settings", { desktop_icon_count_display: 3 });
  await bob.post("/mark_all_as_read", {});
  await alice.say("general", "lunch", "of no concern to Bob");
  await iconHas(page, "<circle");
  await bob.patch("/settings", { desktop_icon_count_display: 1 });
  expect(asked.filter((url) => !url.includes("/api/v1/"))).toEqual([]);
});

browserTest("the desktop app hears the organization's name, its icon and the count", async () => {
  const { alice, bob, realm } = on.world;
  await bob.post("/mark_all_as_read", {});
  const page = await on.open(bob, "#recent");
  await page.addInitScript(() => {
    const heard: unknown[] = [];
    Object.assign(globalThis, {
      heard,
      electron_bridge: { send_event: (...words: unknown[]) => heard.push(words) },
    });
  });
  await page.reload();
  const hears = (...words: unknown[]) =>
    page.waitForFunction(
      (wanted) => JSON.stringify(Reflect.get(globalThis, "heard")).includes(wanted),
      JSON.stringify(words),
    );
  await hears("realm_name", realm.name);
  await hears("total_unread_count", 0);
  await alice.say("general", "lunch", "soup");
  await hears("total_unread_count", 1);
  const heard = JSON.stringify(await page.evaluate(() => Reflect.get(globalThis, "heard")));
  expect(heard).toMatch(/\["realm_icon_url","https:\/\//);
});

const withWorkers = () => on.browsersAre({ serviceWorkers: "allow" });
const lunch = () => topicIn(on, "lunch");
const markRead = ({ post }: Person, messages: number[]) =>
  post("/messages/flags", { messages, op: "add", flag: "read" });

browserTest(
  "what Alice writes to Bob is told him, once for a conversation, until he has read it elsewhere",
  async () => {
    withWorkers();
    const { alice, bob, carol } = on.world;
    const page = await on.open(bob, "#recent");
    await openScreen(page);
    const first = await alice.tell([bob], "**soup** is ready");
    await screenHas(page, ["soup is ready"]);
    expect(await page.evaluate(readScreen)).toMatchObject([{ title: "Alice" }]);
    const second = await alice.tell([bob], "and bread");
    await screenHas(page, ["and bread"]);
    expect(await page.evaluate(readScreen)).toMatchObject([{ title: "Alice · 2 messages" }]);
    const third = await carol.say("general", "lunch", "@**Bob** and pie");
    await screenHas(page, ["and bread", "@Bob and pie"]);
    const [, topic] = await page.evaluate(readScreen);
    expect(topic?.title).toBe("Carol (#general › lunch)");
    await markRead(bob, [first]);
    await markRead(bob, [third]);
    await screenHas(page, ["and bread"]);
    await alice.delete(`/messages/${second}`);
    await screenHas(page, []);
  },
);

browserTest(
  "one tab tells of a message, none where a tab shows its conversation, nor of what Bob does not want",
  async () => {
    withWorkers();
    const { alice, bob } = on.world;
    const [first, second] = [await on.open(bob, "#recent"), await on.open(bob, lunch())];
    await openScreen(first);
    await openScreen(second);
    await second.getByRole("textbox").first().waitFor();
    await second.bringToFront();
    await alice.say("general", "lunch", "@**Bob** here");
    await alice.say("general", "dinner", "of no concern to Bob");
    await bob.patch("/settings", { pm_content_in_desktop_notifications: false });
    await alice.tell([bob], "secret");
    const bodies = async () =>
      [...(await first.evaluate(readScreen)), ...(await second.evaluate(readScreen))].map(
        ({ body }) => body,
      );
    await Promise.race([
      screenHas(first, ["New direct message"]),
      screenHas(second, ["New direct message"]),
    ]);
    expect(await bodies()).toEqual(["New direct message"]);
    await bob.patch("/settings", { pm_content_in_desktop_notifications: true });
  },
);

browserTest(
  "nothing is told of a message that comes at the end of a channel in sight",
  async () => {
    withWorkers();
    const { alice, bob, channels } = on.world;
    for (let number = 0; number < 30; number += 1)
      await alice.say("general", "lunch", `Course ${number}`);
    const [first, second] = [
      await on.open(bob, "#recent"),
      await on.open(bob, `#narrow/channel/${channels.general}-general`),
    ];
    await openScreen(first);
    await openScreen(second);
    await second.bringToFront();
    await rowOf(second, "Course 29").waitFor();
    // More is drawn below while it is scrolled.
    await until(() =>
      second.locator(".feed").evaluate((feed) => {
        const rest = feed.scrollHeight - feed.scrollTop - feed.clientHeight;
        feed.scrollTo(0, feed.scrollHeight);
        return rest <= 1 && feed.querySelector("[aria-busy=false]") !== null;
      }),
    );
    const bodies = async () =>
      [...(await first.evaluate(readScreen)), ...(await second.evaluate(readScreen))].map(
        ({ body }) => body,
      );
    await alice.say("general", "lunch", "@**Bob** in sight");
    await rowOf(second, "in sight").waitFor();
    await alice.tell([bob], "not in sight");
    await eventually(async () => expect(await bodies()).toEqual(["not in sight"]));
    await second.locator(".feed").evaluate((feed) => feed.scrollTo(0, 0));
    await alice.say("general", "lunch", "@**Bob** below");
    await eventually(async () => expect(await bodies()).toContain("@Bob below"));
  },
);

browserTest(
  "a mention that an edit brings is told; one in a spoiler tells nothing of it",
  async () => {
    withWorkers();
    const { alice, bob } = on.world;
    const page = await on.open(bob, "#recent");
    await openScreen(page);
    const id = await alice.say("general", "dinner", "soup");
    await alice.patch(`/messages/${id}`, {
      content: "@**Bob** soup\n```spoiler End\nhe did it\n```",
    });
    await screenHas(page, ["@Bob soup End"]);
  },
);

browserTest("nothing is shown while Bob is active elsewhere", async () => {
  withWorkers();
  const { alice, bob, clock } = on.world;
  const page = await on.open(bob, "#recent");
  const heard = page.waitForResponse((response) => response.url().includes("/users/me/presence"));
  await openScreen(page);
  await heard;
  const before = await alice.tell([bob], "here");
  await screenHas(page, ["here"]);
  clock.advance(1_000);
  await bob.post("/users/me/presence", { status: "active" });
  await alice.tell([bob], "on the phone");
  await alice.say("general", "dinner", "@**Bob** too");
  await markRead(bob, [before]);
  await screenHas(page, []);
});

browserTest("Bob is asked by a button alone, and shown a first notification", async () => {
  withWorkers();
  const { bob } = on.world;
  const page = await on.open(bob, "#inbox");
  await openScreen(page, "unasked");
  expect(await page.evaluate(() => Notification.permission)).toBe("default");
  await page.getByRole("button", { name: "Turn on notifications" }).click();
  await screenHas(page, [words.testText]);
  await page.getByRole("status").filter({ hasText: words.on }).waitFor();
  await page.evaluate(() => Reflect.get(globalThis, "shownNotifications").clear());
  await page.evaluate(() => location.assign("#settings/notifications"));
  await page.getByRole("button", { name: words.test }).press("Enter");
  await screenHas(page, [words.testText]);
});

/** Runs in a page: notes the tones of its sounds. */
function noteTones(): void {
  const tones: number[] = [];
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (when?: number) {
    tones.push(this.frequency.value);
    Object.assign(globalThis, { audio: this.context });
    start.call(this, when);
  };
  Object.assign(globalThis, { tones });
}

browserTest("a sound is heard by Bob's setting, when he has used the page", async () => {
  withWorkers();
  const { alice, bob } = on.world;
  const page = await on.open(bob, "#recent");
  await page.addInitScript(noteTones);
  await openScreen(page);
  await page.mouse.click(5, 5);
  const tones = (count: number) =>
    page.waitForFunction((wanted) => Reflect.get(globalThis, "tones").length === wanted, count);
  // A device that plays nothing is not kept open.
  const isSuspended = () =>
    page.waitForFunction(() => Reflect.get(globalThis, "audio").state === "suspended");
  await alice.tell([bob], "soup");
  await tones(2);
  await isSuspended();
  await bob.patch("/settings", { notification_sound: "ding" });
  await alice.tell([bob], "bread");
  await tones(3);
  await isSuspended();
  await bob.patch("/settings", { enable_sounds: false });
  await alice.tell([bob], "pie");
  await screenHas(page, ["pie"]);
  await tones(3);
  await bob.patch("/settings", { enable_sounds: true, notification_sound: "zulip" });
});

browserTest(
  "the system sounds where the page cannot yet, because Bob has not used it since it was loaded",
  async () => {
    withWorkers();
    const { alice, bob } = on.world;
    const page = await on.open(bob, "#recent");
    await openScreen(page);
    await page.reload();
    // All that the driver of the browser asks of a page counts as the person's use of it.
    const session = await page.context().newCDPSession(page);
    const expression = `[navigator.userActivation.hasBeenActive, (${readScreen})()]`;
    const shows = (isUsed: boolean, body: string, silent: boolean) =>
      eventually(async () => {
        const asked = { expression, returnByValue: true };
        const { result } = await session.send("Runtime.evaluate", asked);
        expect(result.value).toMatchObject([isUsed, [{ body, silent }]]);
      });
    await alice.tell([bob], "soup");
    await shows(false, "soup", false);
    await bob.patch("/settings", { notification_sound: "none" });
    await alice.tell([bob], "bread");
    await shows(false, "bread", true);
    await bob.patch("/settings", { notification_sound: "zulip" });
    await page.mouse.click(5, 5);
    await alice.tell([bob], "pie");
    await shows(true, "pie", true);
  },
);

browserTest("what was read elsewhere while the queue ended is on the screen no more", async () => {
  const { alice, bob } = on.world;
  on.browsersAre({ serviceWorkers: "allow" });
  const page = await on.open(bob, "#inbox");
  await openScreen(page);
  const soup = await alice.tell([bob], "soup while it lasts");
  await screenHas(page, ["soup while it lasts"]);
  const queue = await page.evaluate(
    () => JSON.parse(document.getElementById("snapshot")?.textContent ?? "").queue_id,
  );
  on.network.cut();
  await bob.post("/messages/flags", { messages: [soup], op: "add", flag: "read" });
  expect((await bob.delete("/events", { queue_id: queue })).status).toBe(200);
  on.network.mend();
  await screenHas(page, []);
});

browserTest("the desktop app shows notifications itself, once, until they are read", async () => {
  withWorkers();
  const { alice, bob } = on.world;
  const page = await on.open(bob, "#recent");
  await openInDesktopApp(page);
  await alice.tell([bob], "soup is ready");
  await screenHas(page, ["soup is ready"]);
  await alice.tell([bob], "and bread");
  await screenHas(page, ["and bread"]);
  expect(await page.evaluate(readScreen)).toMatchObject([{ title: "Alice · 2 messages" }]);
  await alice.say("general", "lunch", "@**Bob** and pie");
  await screenHas(page, ["and bread", "@Bob and pie"]);
  await bob.post("/mark_all_as_read", {});
  await screenHas(page, []);
  const tea = await alice.tell([bob], "and tea");
  await screenHas(page, ["and tea"]);
  expect(await page.evaluate(readScreen)).toMatchObject([{ title: "Alice" }]);
  expect(await page.evaluate(readTold)).toEqual([
    "soup is ready",
    "and bread",
    "@Bob and pie",
    "and tea",
  ]);
  await page.evaluate(clickOnScreen, "and tea");
  await page.waitForURL(/#narrow\/dm\/.*\/near\/\d+$/);
  await page.locator(`article[data-id="${tea}"]`).first().waitFor();
  await screenHas(page, []);
});

const isTold = (page: Page, body: string) =>
  page.waitForFunction((wanted) => Reflect.get(globalThis, "told").includes(wanted), body);

browserTest(
  "in the desktop app a message that is read while the picture of its notification loads is not shown",
  async () => {
    withWorkers();
    const { alice, bob } = on.world;
    const page = await on.open(bob, "#recent");
    await openInDesktopApp(page);
    await page.evaluate(holdPictures);
    const soup = await alice.tell([bob], "soup is ready");
    await isTold(page, "soup is ready");
    await markRead(bob, [soup]);
    await alice.say("general", "lunch", "@**Bob** and pie");
    await isTold(page, "@Bob and pie");
    await page.evaluate(letPicturesLoad);
    await screenHas(page, ["@Bob and pie"]);
  },
);

browserTest(
  "a page of the desktop app takes its notifications with it, because nothing would hear a click",
  async () => {
    withWorkers();
    const { alice, bob } = on.world;
    const page = await on.open(bob, "#recent");
    await openInDesktopApp(page);
    await alice.tell([bob], "soup is ready");
    await screenHas(page, ["soup is ready"]);
    await page.reload();
    await page.locator(".shell[data-whole=true]").waitFor();
    await screenHas(page, []);
  },
);

browserTest("the desktop app is offered no push, because it has no push service", async () => {
  withWorkers();
  const page = await on.open(on.world.bob, "#settings/notifications");
  await openInDesktopApp(page);
  await page.getByRole("button", { name: words.test }).press("Enter");
  await screenHas(page, [words.testText]);
  expect(await page.getByText(words.pushOff).count()).toBe(0);
  expect(await page.getByRole("button", { name: words.pushTurnOn }).count()).toBe(0);
});

browserTest("in the desktop app the page sounds before Bob has used it", async () => {
  withWorkers();
  const { alice, bob } = on.world;
  const page = await on.open(bob, "#recent");
  await page.addInitScript(noteTones);
  await openInDesktopApp(page);
  await page.reload();
  // All that the driver of the browser asks of a page counts as the person's use of it.
  const session = await page.context().newCDPSession(page);
  const expression = "[navigator.userActivation.hasBeenActive, tones.length]";
  await alice.tell([bob], "soup");
  await eventually(async () => {
    const { result } = await session.send("Runtime.evaluate", { expression, returnByValue: true });
    expect(result.value).toEqual([false, 2]);
  });
});

// This comes last, because it ends Bob's session.
browserTest("the menu of the desktop app opens keys and settings, and signs out", async () => {
  const page = await on.open(on.world.bob, "#recent");
  await page.addInitScript(() => {
    const listeners = new Map<string, () => void>();
    const on_event = (name: string, listen: () => void) => listeners.set(name, listen);
    Object.assign(globalThis, { listeners, electron_bridge: { on_event } });
  });
  await page.reload();
  const choose = async (name: string) => {
    const listener = await page.waitForFunction(
      (wanted) => Reflect.get(globalThis, "listeners").get(wanted),
      name,
    );
    await listener.evaluate((listen: () => void) => listen());
  };
  await choose("show-keyboard-shortcuts");
  await page.locator("dialog.overlay").getByText("Keyboard shortcuts").first().waitFor();
  await page.keyboard.press("Escape");
  await choose("show-notification-settings");
  await page.waitForURL(/#settings\/notifications$/);
  await choose("logout");
  await page.waitForURL(/\/login/);
});
