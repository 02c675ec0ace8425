import { expect } from "bun:test";
import type { CDPSession, Worker } from "playwright-core";
import { en as common } from "../../../src/web/words/en";
import { notifications as words } from "../../../src/web/words/en/notifications";
import { settings } from "../../../src/web/words/en/settings";
import { until } from "../../support/polls";
import { Browser, browserOf, Receiver } from "../../support/servers/push-receivers";
import { worldHost } from "../../support/world";
import { breachesIn } from "../axe";
import { browserTest, origin, stage } from "../browser";
import { type OnScreen, openScreen, readScreen, setUpScreen } from "../notification-screen";

const on = stage({ outbound_networks_allowed: "127.0.0.0/8" });

/** A browser without a tab of the site, whose service worker is handed pushes. */
interface Pushing {
  push(payload: object): Promise<unknown>;
  /** Waits until the worker's screen has these texts, and no others. */
  shows(...bodies: readonly string[]): Promise<readonly OnScreen[]>;
  /** Clicks on the notification that has this text. */
  click(body: string): Promise<void>;
  /** Holds the scripts back that follow a page's first one, until the answer is called. */
  holdScripts(): Promise<() => Promise<void>>;
}

async function openPushing(): Promise<Pushing> {
  on.browsersAre({ serviceWorkers: "allow" });
  const page = await on.open(on.world.bob, "#inbox");
  await openScreen(page);
  const context = page.context();
  const session = await context.newCDPSession(await context.newPage());
  const registrationId = await registrationIn(session);
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error("No service worker runs.");
  await worker.evaluate(setUpScreen, "granted" as const);
  await page.close();
  const push = { origin: `https://${worldHost}`, registrationId };
  return {
    push: (payload) =>
      session.send("ServiceWorker.deliverPushMessage", { ...push, data: JSON.stringify(payload) }),
    shows: (...bodies) => untilShown(worker, bodies),
    click: (body) => worker.evaluate(clickOn, body),
    holdScripts: async () => {
      await worker.evaluate(holdLaterScripts);
      return () => worker.evaluate(() => Reflect.get(globalThis, "releaseScripts")());
    },
  };
}

async function registrationIn(session: CDPSession): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
    if (first) resolve(first.registrationId);
  });
  await session.send("ServiceWorker.enable");
  return promise;
}

async function untilShown(worker: Worker, bodies: readonly string[]) {
  let shown: readonly OnScreen[] = [];
  await until(async () => {
    shown = await worker.evaluate(readScreen);
    return JSON.stringify(shown.map(({ body }) => body)) === JSON.stringify(bodies);
  });
  return shown;
}

/** Runs in the worker. */
function clickOn(text: string): void {
  const shown: ReadonlyMap<string, { body: string }> = Reflect.get(
    globalThis,
    "shownNotifications",
  );
  const notification = [...shown.values()].find(({ body }) => body === text);
  const kind = Reflect.get(globalThis, "ExtendableEvent");
  const event: Event = Reflect.construct(kind, ["notificationclick"]);
  dispatchEvent(Object.assign(event, { notification }));
}

const pushed = (message_id: number, content: string, more: object = {}) => ({
  type: "message",
  message_id,
  user_id: on.world.bob.id,
  sender_full_name: "Alice",
  sender_avatar_url: "https://elsewhere.example.org/alice.png",
  content,
  recipient_type: "channel",
  channel_id: on.world.channels.general,
  channel_name: "general",
  topic: "lunch",
  ...more,
});

const direct = () => ({
  recipient_type: "direct",
  recipient_user_ids: [on.world.alice.id, on.world.bob.id],
});

const removed = (...message_ids: number[]) => ({
  type: "remove",
  user_id: on.world.bob.id,
  message_ids,
});

browserTest("a push is shown, once for a conversation, and withdrawn when it is read", async () => {
  const { push, shows } = await openPushing();
  await push(pushed(11, "soup"));
  expect(await shows("soup")).toMatchObject([{ title: "Alice (#general › lunch)" }]);
  await push(pushed(12, "bread"));
  const twice = { title: "Alice (#general › lunch) · 2", renotify: true, silent: false };
  expect(await shows("bread")).toMatchObject([twice]);
  await push(pushed(13, "for you", direct()));
  await shows("bread", "for you");
  await push(removed(11));
  await push(removed(13));
  const rest = { title: "Alice (#general › lunch)", renotify: false, silent: true };
  expect(await shows("bread")).toMatchObject([rest]);
  await push({ ...removed(12), user_id: on.world.alice.id });
  await push({ type: "unheard of" });
  await push({ type: "test", realm_name: "Kitchen" });
  const [, test] = await shows("bread", "");
  expect(test?.title).toBe("Kitchen");
  await push(removed(12));
  await shows("");
});

browserTest("pushes that come at once are all told of, until the last is read", async () => {
  const { push, shows } = await openPushing();
  const ids = [21, 22, 23, 24, 25];
  await Promise.all(ids.map((id) => push(pushed(id, `soup ${id}`))));
  expect(await shows("soup 25")).toMatchObject([{ title: "Alice (#general › lunch) · 5" }]);
  await Promise.all([21, 22, 23, 24].map((id) => push(removed(id))));
  await push({ type: "test", realm_name: "Kitchen" });
  const [rest] = await shows("soup 25", "");
  expect(rest?.title).toBe("Alice (#general › lunch)");
  await push(removed(25));
  await shows("");
});

browserTest(
  "a click on a push leads a tab of the client to the message; one in sight needs none",
  async () => {
    const { alice, bob } = on.world;
    const { push, shows, click } = await openPushing();
    const account = await on.newTab(bob);
    await account.goto(`${origin}/account`);
    const id = await alice.say("general", "1.0 / 2.0", "@**Bob** soup");
    await push(pushed(id, "@Bob soup", { topic: "1.0 / 2.0" }));
    await shows("@Bob soup");
    const page = await on.open(bob, "#inbox");
    await account.bringToFront();
    await click("@Bob soup");
    await page.locator(`article[data-id="${id}"]`).waitFor();
    await shows();
    await push(pushed(id + 1, "seen in the tab"));
    await push({ type: "test", realm_name: "Kitchen" });
    await shows("");
  },
);

browserTest("a click leads a tab that is still loading its later parts", async () => {
  const { alice, bob } = on.world;
  const { push, shows, click, holdScripts } = await openPushing();
  const id = await alice.say("general", "lunch", "@**Bob** soup");
  await push(pushed(id, "@Bob soup"));
  await shows("@Bob soup");
  const release = await holdScripts();
  const page = await on.newTab(bob);
  await page.goto(`${origin}/#inbox`);
  await page.locator(".shell:not([data-whole=true])").waitFor();
  await click("@Bob soup");
  await page.waitForURL(/narrow/);
  await release();
  await page.locator(`article[data-id="${id}"]`).waitFor();
});

/**
 * Runs in the worker: it answers no script that follows the first one until it is told to go on.
 */
function holdLaterScripts(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const match = caches.match.bind(caches);
  const held = async (request: Request, options?: CacheQueryOptions) => {
    if (request.url.includes("/chunk-")) await promise;
    return match(request, options);
  };
  Object.assign(globalThis, { releaseScripts: resolve });
  Object.assign(caches, { match: held });
}

/** Name under which the stand-in of a push service has a subscription. */
const pushServiceName = "stand-in of a push service";

/**
 * Runs in a page: a push service for a browser that has none, as headless Chromium. It subscribes
 * under the address and keys that it is given.
 */
function setUpPushService(given: { endpoint: string; p256dh: string; auth: string }): void {
  const name = "stand-in of a push service";
  const { endpoint, ...keys } = given;
  const subscription = {
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => localStorage.removeItem(name),
  };
  Object.assign(PushManager.prototype, {
    getSubscription: async () => (localStorage.getItem(name) === null ? null : subscription),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      localStorage.setItem(name, applicationServerKey);
      return subscription;
    },
  });
}

browserTest(
  "Bob has his browser pushed to while no page is open, ends it, and signs out of it",
  async () => {
    on.browsersAre({ serviceWorkers: "allow" });
    const { alice, bob } = on.world;
    const receiver = new Receiver();
    const { body } = await bob.get("/push_subscriptions");
    const browser = await Browser.subscribe(receiver, body.vapid_public_key);
    const page = await on.open(bob, "#settings/notifications");
    await page.addInitScript(setUpPushService, browser.parameters());
    await openScreen(page);
    const registered = async () =>
      (await bob.get("/push_subscriptions")).body.push_subscriptions.length;
    expect(await registered()).toBe(0);
    await page.getByRole("button", { name: words.pushTurnOn }).click();
    await page.getByText(words.pushOn).waitFor();
    expect(await registered()).toBe(1);
    const id = await alice.tell([bob], "soup");
    await on.world.pass(0);
    expect(await browser.told()).toMatchObject([{ type: "message", message_id: id }]);
    await page.getByRole("button", { name: words.pushTest }).click();
    await until(async () => {
      await on.world.pass(0);
      return JSON.stringify(await browser.told()).includes('"type":"test"');
    });
    await page.reload();
    await page.getByText(words.pushOn).waitFor();
    expect(await registered()).toBe(1);
    await page.getByRole("button", { name: words.pushTurnOff }).click();
    await page.getByText(words.pushOff).waitFor();
    await until(async () => (await registered()) === 0);
    await page.getByRole("button", { name: words.pushTurnOn }).click();
    await page.getByText(words.pushOn).waitFor();
    await page.goto(new URL("/#settings/account", page.url()).href);
    await page.getByRole("button", { name: settings.account.logOut, exact: true }).click();
    await page.waitForURL(/\/login/);
    expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain(pushServiceName);
    expect(await registered()).toBe(0);
    await receiver.stop();
  },
);

browserTest(
  "pushes that Alice ends from elsewhere stay ended in this browser, which tells so",
  async () => {
    on.browsersAre({ serviceWorkers: "allow" });
    const { alice } = on.world;
    const receiver = new Receiver();
    const listed = async () => (await alice.get("/push_subscriptions")).body;
    const browser = await Browser.subscribe(receiver, (await listed()).vapid_public_key);
    const page = await on.open(alice, "#settings/notifications");
    await page.addInitScript(setUpPushService, browser.parameters());
    await openScreen(page);
    const turnOnAndEndElsewhere = async () => {
      await page.getByRole("button", { name: words.pushTurnOn }).click();
      await page.getByText(words.pushOn).waitFor();
      const list = page.getByRole("list", { name: words.devices });
      await list.getByRole("listitem").filter({ hasText: words.thisBrowser }).waitFor();
      const [{ id }] = (await listed()).push_subscriptions;
      expect((await alice.delete(`/push_subscriptions/${id}`)).status).toBe(200);
    };
    const isForgotten = () =>
      page.waitForFunction((name) => localStorage.getItem(name) === null, pushServiceName);
    await turnOnAndEndElsewhere();
    await page.evaluate(() => location.assign("#settings/account"));
    await page.getByText(words.pushOn).waitFor({ state: "detached" });
    await page.evaluate(() => location.assign("#settings/notifications"));
    await page.getByText(words.pushOff).waitFor();
    await isForgotten();
    await turnOnAndEndElsewhere();
    await page.evaluate(() => location.assign("#inbox"));
    await page.reload();
    await isForgotten();
    expect((await listed()).push_subscriptions).toEqual([]);
    await receiver.stop();
  },
);

browserTest("what Carol is pushed to is listed, and ended one by one, by keyboard", async () => {
  on.browsersAre({ serviceWorkers: "allow" });
  const { carol } = on.world;
  const receiver = new Receiver();
  const { body } = await carol.get("/push_subscriptions");
  const [browser, elsewhere] = [
    await Browser.subscribe(receiver, body.vapid_public_key),
    await Browser.subscribe(receiver, body.vapid_public_key),
  ];
  expect((await carol.post("/push_subscriptions", elsewhere.parameters())).status).toBe(200);
  expect((await carol.post("/register_client_device")).status).toBe(200);
  const page = await on.open(carol, "#settings/notifications");
  await page.addInitScript(setUpPushService, browser.parameters());
  await openScreen(page);
  const list = page.getByRole("list", { name: words.devices });
  const lines = list.getByRole("listitem");
  await lines.filter({ hasText: words.deviceKinds.phone }).waitFor();
  await page.getByRole("button", { name: words.pushTurnOn }).click();
  const own = lines.filter({ hasText: words.thisBrowser });
  await own.waitFor();
  expect(await lines.count()).toBe(3);
  expect(await breachesIn(page)).toEqual([]);
  await lines.filter({ hasText: words.deviceKinds.phone }).getByRole("button").press("Enter");
  await lines.filter({ hasText: words.deviceKinds.phone }).waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.id === "push-devices");
  await own.getByRole("button").press("Enter");
  await page.getByText(words.pushOff).waitFor();
  await own.waitFor({ state: "detached" });
  await lines.getByRole("button").press("Enter");
  await page.getByText(words.noDevices).waitFor();
  const { devices } = (await carol.post("/register", { fetch_event_types: ["device"] })).body;
  expect(devices).toEqual({});
  expect((await carol.get("/push_subscriptions")).body.push_subscriptions).toEqual([]);
  await receiver.stop();
});

browserTest("browsers are listed while the list of phones is refused", async () => {
  const { carol } = on.world;
  const receiver = new Receiver();
  await browserOf(carol, receiver);
  const { device_id } = (await carol.post("/register_client_device")).body;
  const page = await on.open(carol, "#inbox");
  const refusal = { result: "error", code: "BAD_REQUEST", msg: "Not now." };
  await page.route("**/api/v1/register", (route) => route.fulfill({ status: 400, json: refusal }), {
    times: 1,
  });
  await page.evaluate(() => location.assign("#settings/notifications"));
  const list = page.getByRole("list", { name: words.devices });
  await page.getByRole("alert").filter({ hasText: refusal.msg }).waitFor();
  expect(await list.getByRole("listitem").allInnerTexts()).toMatchObject([
    expect.stringContaining(words.deviceKinds.web_push),
  ]);
  await page.getByRole("button", { name: common.tryAgain }).click();
  await list.getByRole("listitem").filter({ hasText: words.deviceKinds.phone }).waitFor();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await list.getByRole("listitem").filter({ hasText: words.deviceKinds.web_push }).waitFor();
  await carol.post("/remove_client_device", { device_id });
  for (const { id } of (await carol.get("/push_subscriptions")).body.push_subscriptions)
    await carol.delete(`/push_subscriptions/${id}`);
  await receiver.stop();
});

browserTest("a phone that is added or ended elsewhere is seen at once, in each tab", async () => {
  const { carol } = on.world;
  const pages = [
    await on.open(carol, "#settings/notifications"),
    await on.open(carol, "#settings/notifications"),
  ];
  const phones = pages.map((page) =>
    page
      .getByRole("list", { name: words.devices })
      .getByRole("listitem")
      .filter({ hasText: words.deviceKinds.phone }),
  );
  for (const page of pages) await page.getByText(words.noDevices).waitFor();
  const { device_id } = (await carol.post("/register_client_device")).body;
  for (const phone of phones) await phone.waitFor();
  expect((await carol.post("/remove_client_device", { device_id })).status).toBe(200);
  for (const phone of phones) await phone.waitFor({ state: "detached" });
});

browserTest("two phones of one minute have names and buttons of their own", async () => {
  const { carol } = on.world;
  const add = async (): Promise<number> =>
    (await carol.post("/register_client_device")).body.device_id;
  const [first, second] = [await add(), await add()];
  const page = await on.open(carol, "#settings/notifications");
  const { phone } = words.deviceKinds;
  const end = (number: number) =>
    page.getByRole("button", {
      name: words.endDeviceNamed(words.deviceNumbered(phone, number), ""),
      exact: true,
    });
  await end(1).waitFor();
  await end(2).click();
  await page.getByRole("button", { name: words.endDeviceNamed(phone, ""), exact: true }).waitFor();
  const { devices } = (await carol.post("/register", { fetch_event_types: ["device"] })).body;
  expect(Object.keys(devices)).toEqual([String(first)]);
  expect(second).toBeGreaterThan(first);
  await carol.post("/remove_client_device", { device_id: first });
});
