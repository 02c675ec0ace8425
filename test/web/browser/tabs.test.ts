import { expect } from "bun:test";
import type { Page, Request } from "playwright-core";
import { browserTest, rowOf, stage } from "../browser";
import { requestsUnderWay } from "../requests";
import { seeWithoutMessages } from "../views-without-messages";
import { eventually } from "../waiting";

const on = stage();

/** Requests for events that wait for their answers. */
const pollsOf = (pages: readonly Page[]) =>
  requestsUnderWay(
    pages,
    (request) => request.method() === "GET" && request.url().includes("/api/v1/events"),
  );

const tabs = 10;

/** Waits until each of these pages shows each message, and checks that none shows it twice. */
async function eachOnce(pages: readonly Page[], texts: readonly string[]) {
  for (const page of pages)
    for (const text of texts) {
      await rowOf(page, text).first().waitFor();
      expect([text, await rowOf(page, text).count()]).toEqual([text, 1]);
    }
}

browserTest("ten tabs poll once, and each event comes once to each, whoever closes", async () => {
  const { alice, bob } = on.world;
  const first = await on.open(bob);
  const polls = pollsOf([first]);
  const others: Page[] = [];
  for (let count = 1; count < tabs; count += 1) others.push(await on.open(bob));
  const later = pollsOf(others);
  await alice.say("general", "lunch", "to ten");
  await eachOnce([first, ...others], ["to ten"]);
  expect([polls.size, later.size]).toEqual([1, 0]);

  await alice.say("general", "lunch", "before the close");
  await first.close();
  await alice.say("general", "lunch", "after the close");
  await eachOnce(others, ["to ten", "before the close", "after the close"]);
  const [second, ...rest] = others;
  await Promise.all([second?.close(), alice.say("general", "lunch", "while it closes")]);
  await alice.say("general", "lunch", "to eight");
  await eachOnce(rest, ["while it closes", "to eight"]);
  expect(later.size).toBeLessThanOrEqual(1);
});

browserTest("the tab that polls tells for all tabs that the person is there", async () => {
  const { bob } = on.world;
  const first = await on.open(bob);
  const tellers: Page[] = [];
  const isTold = (request: Request) => request.url().endsWith("/users/me/presence");
  first.context().on("request", (request) => {
    if (isTold(request)) tellers.push(request.frame().page());
  });
  const second = await on.open(bob);
  const locks = await second.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    // Drafts have a lock of their own for moments.
    return [...held, ...pending].flatMap(({ name }) => (name?.includes("drafts") ? [] : name));
  });
  expect(new Set(locks)).toEqual(new Set([`chatd-events-${bob.id}`]));
  expect(tellers).not.toContain(second);
  const bySecond = second.waitForRequest(isTold);
  await first.close();
  await bySecond;
});

/** The queue that a page polls, told by its next request for events. */
async function queueOf(page: Page): Promise<string> {
  const asked = page.waitForRequest((request) => request.url().includes("/api/v1/events"));
  return new URL((await asked).url()).searchParams.get("queue_id") ?? "";
}

browserTest("a page goes on without a reload where its queue has ended", async () => {
  const { alice, bob } = on.world;
  const kept = await alice.say("general", "lunch", "to be edited");
  const gone = await alice.say("general", "lunch", "to be deleted");
  const page = await on.open(bob);
  await rowOf(page, "to be deleted").waitFor();
  await page.evaluate("globalThis.isUntouched = true");
  const [queue] = await Promise.all([queueOf(page), alice.say("general", "lunch", "a sign")]);
  await rowOf(page, "a sign").waitFor();
  on.network.cut();
  await alice.patch(`/messages/${kept}`, { content: "edited meanwhile" });
  await on.world.olga.delete(`/messages/${gone}`);
  await alice.say("general", "lunch", "sent meanwhile");
  expect((await bob.delete("/events", { queue_id: queue })).status).toBe(200);
  on.network.mend();
  await eachOnce([page], ["edited meanwhile", "sent meanwhile", "a sign"]);
  await alice.say("general", "lunch", "sent later");
  await eachOnce([page], ["sent later"]);
  await eventually(async () => expect(await rowOf(page, "to be deleted").count()).toBe(0));
  expect(await page.evaluate("globalThis.isUntouched")).toBe(true);
});

browserTest("a lost connection is told, and events of the meantime come after it", async () => {
  const { alice, bob } = on.world;
  const page = await on.open(bob);
  await alice.say("general", "lunch", "ahead");
  await rowOf(page, "ahead").waitFor();
  on.network.cut();
  await page.getByText("Cannot reach the server").waitFor();
  await alice.say("general", "lunch", "during");
  on.network.mend();
  await eachOnce([page], ["ahead", "during"]);
  await page.getByText("Cannot reach the server").waitFor({ state: "detached" });
});

browserTest("a lost connection is told in views without messages, too", async () => {
  const page = await on.open(on.world.bob);
  const notice = page.getByRole("status").filter({ hasText: "Cannot reach the server" });
  // All parts of the client are loaded before the way to the server is cut.
  await page.goto("https://chat.example.com/#settings");
  await page.locator(".conversation > .pane").waitFor();
  on.network.cut();
  await seeWithoutMessages(page, notice);
  on.network.mend();
  await notice.waitFor({ state: "detached" });
});

browserTest("a session that ends leads to the login page and back to the place", async () => {
  const { bob } = on.world;
  const page = await on.open(bob, "#narrow/is/mentioned");
  await page.context().clearCookies();
  await bob.tell([bob], "wake up");
  await page.waitForURL("**/login?next=*#narrow/is/mentioned");
});

browserTest("an answer that is no answer of the server's ends nothing", async () => {
  const { alice, bob } = on.world;
  const page = await on.open(bob);
  let strange = 0;
  await page.route("**/api/v1/events?*", async (route) => {
    strange += 1;
    if (strange > 2) return route.continue();
    return route.fulfill({ contentType: "text/html", body: "<h1>Welcome to our wifi</h1>" });
  });
  await alice.say("general", "lunch", "through the held poll");
  await rowOf(page, "through the held poll").waitFor();
  await alice.say("general", "lunch", "after the strange ones");
  await eachOnce([page], ["after the strange ones"]);
  expect(strange).toBeGreaterThan(2);
});

/** Counts timers that were each set in the task of the one before, as `deepestTimer`. */
function followTimers() {
  const setTimer = window.setTimeout.bind(window);
  const turn = new MessageChannel();
  let depth = 0;
  turn.port1.onmessage = () => {
    depth = 0;
  };
  const setNoted = (run: () => void, after?: number) => {
    const own = depth + 1;
    Reflect.set(window, "deepestTimer", Math.max(own, Reflect.get(window, "deepestTimer") ?? 0));
    return setTimer(() => {
      depth = own;
      turn.port2.postMessage(undefined);
      run();
    }, after);
  };
  window.setTimeout = Object.assign(setNoted, window.setTimeout);
}

/** Chromium wakes a hidden tab once a minute for a timer that is nested so deep. */
const throttledDepth = 5;

browserTest("a tab that receives events one after the other nests no timers", async () => {
  const { alice, bob } = on.world;
  on.newBrowsers();
  const page = await on.newTab(bob);
  await page.addInitScript(followTimers);
  await on.openIn(page, "#feed");
  for (let number = 1; number <= 10; number += 1) {
    await alice.say("general", "lunch", `Course ${number}.`);
    await rowOf(page, `Course ${number}.`).waitFor();
  }
  const deepest = await page.evaluate(() => Number(Reflect.get(window, "deepestTimer")));
  expect(deepest).toBeLessThan(throttledDepth);
});
