import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { keptMax } from "../../../src/web/model/kept";
import { en as words } from "../../../src/web/words/en";
import { settings } from "../../../src/web/words/en/settings";
import { outcomeOf } from "../../support/outcome";
import type { Person } from "../../support/world";
import { browserTest, rowOf, stage, topicIn } from "../browser";
import { nothingKept, readKept, untilKept } from "../kept-by-browser";
import { shortenWaits } from "../short-waits";
import { until } from "../waiting";

/* The page without the server: what it has kept is read, and nobody else's. */

const on = stage();

const note = (page: Page) => page.getByText(words.offline);

/** Opens a tab in a new browser, without the 3 seconds of quiet before the page begins to keep. */
async function openBrowser(person: Person, fragment: string): Promise<Page> {
  on.browsersAre({ serviceWorkers: "allow" });
  const page = await on.newTab(person);
  await page.context().addInitScript(shortenWaits, { of: 3_000, to: 0, most: 1 });
  return on.openIn(page, fragment);
}

async function openKeeping(person: Person, fragment: string, kept: string): Promise<Page> {
  const page = await openBrowser(person, fragment);
  await untilKept(page, kept);
  return page;
}

browserTest(
  "without the server the page shows what it has kept, and goes on by itself",
  async () => {
    const { alice, bob } = on.world;
    await alice.say("general", "elsewhere", "Never opened");
    const first = await alice.say("general", "lunch", "Soup at noon");
    const page = await openKeeping(bob, topicIn(on, "lunch"), "Never opened");
    await alice.say("general", "lunch", "And bread");
    await rowOf(page, "And bread").waitFor();
    await untilKept(page, "And bread");
    on.network.cut();
    await page.reload();
    await note(page).waitFor();
    await rowOf(page, "Soup at noon").waitFor();
    await rowOf(page, "And bread").waitFor();
    await page.evaluate((hash) => location.assign(hash), topicIn(on, "elsewhere"));
    await rowOf(page, "Never opened").waitFor();
    await page.locator(".compose textarea").fill("From the train");
    await page.keyboard.press("Control+Enter");
    await page.getByText("From the train").waitFor();
    await page.evaluate((hash) => location.assign(hash), topicIn(on, "lunch"));
    await rowOf(page, "Soup at noon").waitFor();
    await on.world.olga.delete(`/messages/${first}`);
    await page.evaluate(() => Object.assign(globalThis, { isOnePage: true }));
    on.network.mend();
    await note(page).waitFor({ state: "detached" });
    await rowOf(page, "Soup at noon").waitFor({ state: "detached" });
    await rowOf(page, "And bread").waitFor();
    await page.evaluate((hash) => location.assign(hash), topicIn(on, "elsewhere"));
    await rowOf(page, "From the train").locator("time").waitFor();
    expect(await page.evaluate(() => Reflect.get(globalThis, "isOnePage"))).toBe(true);
    const { body } = await alice.get("/messages", {
      anchor: "newest",
      num_before: 20,
      num_after: 0,
      apply_markdown: false,
    });
    const said = body.messages.filter(
      ({ content }: { content: string }) => content === "From the train",
    );
    expect(said.length).toBe(1);
  },
);

browserTest(
  "the last 20 conversations are read without the server, and not the one before",
  async () => {
    const { alice, carol } = on.world;
    // Nothing else is there for somebody who has just come into the channel.
    const name = (number: number) => `round ${number}`;
    for (let number = 0; number <= keptMax.conversations; number += 1)
      await alice.say("general", name(number), `Word of round ${number}.`);
    const newest = `Word of round ${keptMax.conversations}.`;
    const page = await openKeeping(carol, "#inbox", newest);
    on.network.cut();
    await page.reload();
    await note(page).waitFor();
    for (let number = 1; number <= keptMax.conversations; number += 1) {
      await page.evaluate((hash) => location.assign(hash), topicIn(on, name(number)));
      await rowOf(page, `Word of round ${number}.`).waitFor();
    }
    await page.evaluate((hash) => location.assign(hash), topicIn(on, name(0)));
    await page.getByText(words.notLoaded("")).waitFor();
    expect(await rowOf(page, "Word of round 0.").count()).toBe(0);
  },
);

/** Runs before a page: the worker is registered once the page waits for it. */
function workerComesLate(): void {
  const { serviceWorker } = navigator;
  const { ready } = serviceWorker;
  const awaited = Promise.withResolvers<void>();
  Object.defineProperty(serviceWorker, "ready", {
    get() {
      awaited.resolve();
      return ready;
    },
  });
  const register = serviceWorker.register.bind(serviceWorker);
  serviceWorker.register = async (...given) => {
    await awaited.promise;
    return register(...given);
  };
}

/** Runs in a page: ends the service worker, as where the page is opened for the first time. */
async function endWorker(): Promise<void> {
  for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
}

browserTest("a browser keeps what it can, also where its service worker comes late", async () => {
  const { alice, carol } = on.world;
  await alice.tell([carol], "Before the worker");
  const page = await openBrowser(carol, "#inbox");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.evaluate(endWorker);
  await page.context().addInitScript(workerComesLate);
  await page.reload();
  await untilKept(page, "Before the worker");
});

browserTest(
  "messages that the server has refused, and files that did not come, are kept later",
  async () => {
    const { alice, carol } = on.world;
    await alice.tell([carol], "After all");
    const page = await openBrowser(carol, "#inbox");
    const newest = (url: URL) =>
      url.pathname === "/api/v1/messages" && url.searchParams.get("narrow") === "[]";
    const busy = { status: 503, json: { code: "BUSY", msg: "Later." } };
    await page.route(newest, (route) => route.fulfill(busy), { times: 1 });
    await untilKept(page, "After all");
    on.network.cut();
    await page.evaluate(loseFiles);
    for (let polls = 0; polls < 3; polls += 1) await page.waitForEvent("requestfailed");
    on.network.mend();
    await untilKept(page, "After all");
  },
);

/** Runs in a page: removes the files that are kept, and lets the page have them kept again. */
async function loseFiles(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
  navigator.serviceWorker.dispatchEvent(new Event("controllerchange"));
}

browserTest("who signs out leaves nothing in the browser", async () => {
  const { alice, carol } = on.world;
  await alice.tell([carol], "For Carol alone");
  const page = await openKeeping(carol, "#settings/account", "For Carol alone");
  await page.getByRole("button", { name: settings.account.logOut, exact: true }).click();
  await page.waitForURL(/\/login/, { waitUntil: "commit" });
  await until(async () => (await page.evaluate(readKept)) === nothingKept);
  on.network.cut();
  expect(await outcomeOf(page.goto(new URL("/", page.url()).href))).toThrow();
});

browserTest("who has opened the page without the server signs out of it later", async () => {
  const { alice, olga } = on.world;
  await alice.tell([olga], "For Olga alone");
  const page = await openKeeping(olga, "#settings/account", "For Olga alone");
  on.network.cut();
  await page.reload();
  await note(page).waitFor();
  await page.getByRole("button", { name: settings.account.logOut, exact: true }).click();
  await page.getByText("Cannot reach the server. Try again later.").first().waitFor();
  expect(await page.evaluate(readKept)).toContain("For Olga alone");
  on.network.mend();
  await note(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: settings.account.logOut, exact: true }).click();
  await page.waitForURL(/\/login/, { waitUntil: "commit" });
  await until(async () => (await page.evaluate(readKept)) === nothingKept);
});

browserTest("whose account is deactivated leaves nothing in the browser", async () => {
  const { adam, alice, otto } = on.world;
  await alice.tell([otto], "For Otto alone");
  const page = await openKeeping(otto, "#inbox", "For Otto alone");
  expect((await adam.delete(`/users/${otto.id}`)).status).toBe(200);
  await page.waitForURL(/\/login/, { waitUntil: "commit" });
  await until(async () => (await page.evaluate(readKept)) === nothingKept);
});

browserTest("whose session has ended while no page was open leaves nothing either", async () => {
  const { alice, mona } = on.world;
  await alice.tell([mona], "For Mona alone");
  const page = await openKeeping(mona, "#inbox", "For Mona alone");
  const { origin } = new URL(page.url());
  await page.goto(`${origin}/connect`);
  await page.context().clearCookies();
  await page.goto(origin);
  await page.waitForURL(/\/login/, { waitUntil: "commit" });
  await until(async () => (await page.evaluate(readKept)) === nothingKept);
});

browserTest("a proxy that does not reach the server counts as no server", async () => {
  const { alice, adam } = on.world;
  await alice.tell([adam], "For Adam alone");
  const page = await openKeeping(adam, "#inbox", "For Adam alone");
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("Bad Gateway", { status: 502 }),
  });
  on.network.leadTo(proxy.url.origin);
  await page.reload();
  await note(page).waitFor();
  on.network.leadTo(on.world.site);
  await note(page).waitFor({ state: "detached" });
  await proxy.stop(true);
});

/** Runs before a page: the browser refuses its database. */
function refuseDatabase(): void {
  IDBFactory.prototype.open = () => {
    throw new DOMException("Refused.", "SecurityError");
  };
}

browserTest("a browser that refuses to keep anything shows all the same", async () => {
  const { alice, greta } = on.world;
  await alice.tell([greta], "For Greta alone");
  const page = await openBrowser(greta, "#inbox");
  await page.context().addInitScript(refuseDatabase);
  const told = page.waitForEvent("console", (one) => one.text().startsWith("Nothing is kept"));
  await page.reload();
  await told;
  await page.getByRole("link", { name: /Alice/ }).first().click();
  await rowOf(page, "For Greta alone").waitFor();
});

/** Runs in a page: uses the database and does not end that. */
async function holdDatabase(): Promise<void> {
  const opening = indexedDB.open("chatd kept");
  await new Promise((resolve) => opening.addEventListener("success", resolve));
  Object.assign(globalThis, { held: opening.result });
}

browserTest("a tab that holds the database keeps nobody from the login page", async () => {
  const { alice, greta } = on.world;
  await alice.tell([greta], "For Greta again");
  const page = await openKeeping(greta, "#inbox", "For Greta again");
  const { origin } = new URL(page.url());
  await page.goto(`${origin}/connect`);
  await page.evaluate(holdDatabase);
  await page.context().clearCookies();
  const other = await page.context().newPage();
  await other.goto(origin);
  await other.waitForURL(/\/login/);
  await page.close();
  await until(async () => (await other.evaluate(readKept)) === nothingKept);
});

browserTest("what is kept is of one person, and of one build", async () => {
  const { alice, bob, olga } = on.world;
  await olga.tell([bob], "For Bob alone");
  await olga.tell([alice], "For Alice alone");
  const page = await openKeeping(bob, "#inbox", "For Bob alone");
  on.browsersAre({ serviceWorkers: "block" });
  const other = await on.open(alice, "#inbox");
  await page.context().addCookies(await other.context().cookies());
  await page.reload();
  await untilKept(page, "For Alice alone");
  expect(await page.evaluate(readKept)).not.toContain("For Bob alone");
  await page.evaluate(makeOlder);
  on.network.cut();
  const without = await page.context().newPage();
  expect(await outcomeOf(without.goto(page.url()))).toThrow();
  await without.close();
  on.network.mend();
  await page.reload();
  await page.locator(".shell[data-whole=true]").waitFor();
  await untilKept(page, "For Alice alone");
  await until(async () => !(await page.evaluate(readKept)).includes("before-this-build"));
});

/** Runs in a page: makes what is kept that of an older build. */
async function makeOlder(): Promise<void> {
  await caches.open("chatd files before-this-build");
  const opening = indexedDB.open("chatd kept");
  await new Promise((resolve) => opening.addEventListener("success", resolve));
  const database = opening.result;
  const store = database.transaction("state", "readwrite").objectStore("state");
  const asking = store.get("now");
  await new Promise((resolve) => asking.addEventListener("success", resolve));
  const writing = store.put({ ...asking.result, build: "before-this-build" }, "now");
  await new Promise((resolve) => writing.addEventListener("success", resolve));
  database.close();
}

browserTest(
  "who deactivates their account leaves nothing, also where no poll tells it",
  async () => {
    const { alice, greta } = on.world;
    await alice.tell([greta], "For Greta no more");
    const page = await openBrowser(greta, "#inbox");
    // A poll that comes to no end: it does not lead to the login page.
    const poll = (url: URL) => url.pathname === "/api/v1/events";
    await page.context().route(poll, () => undefined);
    await page.reload();
    await untilKept(page, "For Greta no more");
    await page.evaluate(() => localStorage.setItem("chatd push", '{"userId":0,"id":1}'));
    await page.evaluate(() => location.assign("#settings/account"));
    await page.getByRole("button", { name: settings.account.deactivate }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/Type your name/).fill("Greta");
    await dialog.getByRole("button", { name: settings.account.deactivate }).click();
    await page.waitForURL(/\/login/, { waitUntil: "commit" });
    await until(async () => (await page.evaluate(readKept)) === nothingKept);
    expect(await page.evaluate(() => localStorage.getItem("chatd push"))).toBeNull();
  },
);
