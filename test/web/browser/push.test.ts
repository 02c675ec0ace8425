import { expect } from "bun:test";
import type { CDPSession, Worker } from "playwright-core";
import { until } from "../../support/polls";
import { worldHost } from "../../support/world";
import { browserTest, stage } from "../browser";
import { type OnScreen, openScreen, readScreen, setUpScreen } from "../notification-screen";

const on = stage();

/** A browser without a tab of the site, whose service worker is handed pushes. */
interface Pushing {
  push(payload: object): Promise<unknown>;
  /** Waits until the worker's screen has these texts, and no others. */
  shows(...bodies: readonly string[]): Promise<readonly OnScreen[]>;
  /** Clicks on the notification that has this text. */
  click(body: string): Promise<void>;
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
  await push(pushed(13, "for you", direct()));
  await shows("bread", "for you");
  await push(removed(11));
  await push(removed(13));
  await shows("bread");
  await push({ ...removed(11, 12), user_id: on.world.alice.id });
  await push({ type: "unheard of" });
  await push({ type: "test", realm_name: "Kitchen" });
  const [, test] = await shows("bread", "");
  expect(test?.title).toBe("Kitchen");
  await push(removed(11, 12));
  await shows("");
});

browserTest(
  "a click on a push leads an open tab to the message; a tab in sight needs none",
  async () => {
    const { alice, bob } = on.world;
    const { push, shows, click } = await openPushing();
    const id = await alice.say("general", "1.0 / 2.0", "@**Bob** soup");
    await push(pushed(id, "@Bob soup", { topic: "1.0 / 2.0" }));
    await shows("@Bob soup");
    const page = await on.open(bob, "#inbox");
    await click("@Bob soup");
    await page.locator(`article[data-id="${id}"]`).waitFor();
    await shows();
    await push(pushed(id + 1, "seen in the tab"));
    await push({ type: "test", realm_name: "Kitchen" });
    await shows("");
  },
);
