import { expect } from "bun:test";
import type { CDPSession, Page } from "playwright-core";
import type { Person } from "../../support/world";
import { browserTest, stage } from "../browser";
import { holdLateParts } from "../late-parts";
import { measureMainThread } from "../main-thread";
import { eventually } from "../waiting";

/* An organization of 10,000 people and 1,000 channels: nobody waits for a key. */

const on = stage({}, { keepsTabs: false });
const large = { people: 10_000, channels: 1_000 };
let isMade = false;
const slowMilliseconds = 120_000;

/** People and channels that are made by the first test that needs them. */
async function makeLarge(): Promise<void> {
  if (isMade) return;
  const { world } = on;
  const realmId = world.operator.realm.id;
  const rows = Array.from({ length: large.people }, (_, index) => ({
    realmId,
    email: `seeded${index}@example.com`,
    emailKey: `seeded${index}@example.com`,
    fullName: `Sämpson ${index.toString(36)} of ${index % 97}`,
    role: 400,
    createdAt: 1_700_000_000,
  }));
  await world.app.engine.write(
    realmId,
    async ({ db, t }) => {
      for (let from = 0; from < rows.length; from += 1_000)
        await db.insert(t.users).values(rows.slice(from, from + 1_000));
    },
    () => undefined,
  );
  await world.restart();
  const names = Array.from({ length: large.channels }, (_, at) => `sample channel ${at}`);
  for (let from = 0; from < names.length; from += 250) {
    const subscriptions = names.slice(from, from + 250).map((name) => ({ name }));
    const asked = { subscriptions, principals: [world.bob.id], announce: false };
    expect((await world.olga.post("/users/me/subscriptions", asked)).status).toBe(200);
  }
  isMade = true;
  // New channels are announced in their first messages.
  expect((await world.bob.post("/mark_all_as_read", {})).status).toBe(200);
}

/** Runs of those parts of scripts that run so often, or more often, while something is done. */
async function countRuns(
  session: CDPSession,
  least: number,
  act: () => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  await session.send("Profiler.enable");
  await session.send("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  await act();
  const { result } = await session.send("Profiler.takePreciseCoverage");
  await session.send("Profiler.stopPreciseCoverage");
  const parts = result.flatMap(({ url, functions }) =>
    functions.flatMap(({ functionName, ranges }) =>
      ranges.map(({ count, startOffset }) => ({
        place: `${functionName} at ${url}:${startOffset}`,
        count,
      })),
    ),
  );
  return Object.fromEntries(
    parts.filter(({ count }) => count >= least).map(({ place, count }) => [place, count]),
  );
}

/**
 * Expects that what runs once for each person, or more often, takes so many steps for each at most.
 */
function expectSteps(runs: Readonly<Record<string, number>>, mostForEach: number): void {
  const steps = Object.values(runs).reduce((sum, count) => sum + count, 0);
  const isWithin = steps <= mostForEach * large.people;
  expect({ steps, runs: isWithin ? {} : runs }).toEqual({ steps, runs: {} });
  if (mostForEach > 0) expect(steps).toBeGreaterThan(0);
}

browserTest(
  "until messages are painted, scripts take at most five steps for each of 10,000 people",
  async () => {
    await makeLarge();
    for (let count = 0; count < 60; count += 1)
      await on.world.alice.say("general", "t", `Message ${count}, with **bold** words`);
    const page = await on.newTab(on.world.bob);
    await page.setViewportSize({ width: 1440, height: 900 });
    const session = await page.context().newCDPSession(page);
    const late = await holdLateParts(session);
    const main = await measureMainThread(page);
    const runs = await countRuns(session, large.people, async () => {
      await page.goto("https://chat.example.com/#feed", { waitUntil: "commit" });
      await main.painted(`document.querySelector("article .rendered")`);
    });
    await late.release();
    expectSteps(runs, 5);
  },
  slowMilliseconds,
);

/** Presses keys one after the other, each when the one before it is painted. */
async function press(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen))));
  }
}

const keysInPalette = ["Control+k", ..."samp 1 of", "Backspace"];
const keysInSearch = ["/", ..."samp from:samp", "Backspace", ..." channel:sample"];
const keysInBox = [..."Hello @sam", "Backspace", ..."m 1 #sample ch"];

browserTest(
  "a key in the palette or in a search takes few steps for each of 10,000 people, and no list is drawn whole",
  async () => {
    await makeLarge();
    const page = await on.open(on.world.bob, "#inbox");
    await page.setViewportSize({ width: 1440, height: 900 });
    const options = page.locator("[role=option]");
    const session = await page.context().newCDPSession(page);
    const inPalette = await countRuns(session, large.people, async () => {
      await press(page, keysInPalette);
    });
    await options.first().waitFor();
    await eventually(async () => expect(await options.count()).toBeLessThan(20));
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const inSearch = await countRuns(session, large.people, async () => {
      await press(page, keysInSearch);
    });
    await options.first().waitFor();
    await eventually(async () => expect(await options.count()).toBeLessThan(20));
    expectSteps(inPalette, 40 * keysInPalette.length);
    expectSteps(inSearch, 10 * keysInSearch.length);
  },
  slowMilliseconds,
);

/** Scrolls a part of the page far down and back, a piece at a time. */
async function scroll(page: Page, selector: string): Promise<void> {
  const pieces = [...Array(12).fill(600), ...Array(4).fill(-1_800)];
  for (const by of pieces)
    await page.evaluate(
      ([part, pixels]) =>
        new Promise((seen) => {
          const element = document.querySelector(part);
          if (element) element.scrollTop += pixels;
          requestAnimationFrame(() => setTimeout(seen));
        }),
      [selector, by] as const,
    );
}

browserTest(
  "a list that is scrolled takes no step for each of 10,000 people, and a key of a mention few",
  async () => {
    await makeLarge();
    const { bob, channels } = on.world;
    const page = await on.open(bob, "#channels/all");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator(".windowed a.line").first().focus();
    const session = await page.context().newCDPSession(page);
    const inLists = await countRuns(session, large.people, async () => {
      for (const part of [".conversation .pane", ".rail nav", ".side"]) await scroll(page, part);
    });
    // The row that had the focus has left the document.
    const hasFocus = (selector: string) =>
      page.waitForFunction((of) => document.activeElement?.matches(of), selector);
    await hasFocus(".windowed, .windowed *");
    await page.goto(`https://chat.example.com/#narrow/channel/${channels.general}-general/topic/t`);
    await page.locator(".compose textarea").click();
    const inBox = await countRuns(session, large.people, async () => {
      await press(page, keysInBox);
    });
    expectSteps(inLists, 0);
    expectSteps(inBox, 14 * keysInBox.length);
  },
  slowMilliseconds,
);

browserTest(
  "people whom a text finds among 10,000 are all counted and in reach, and few are drawn",
  async () => {
    await makeLarge();
    const page = await on.open(on.world.olga, "#settings/organization");
    const people = page.locator("section.part").filter({
      has: page.getByRole("heading", { name: "People and their roles" }),
    });
    await people.getByLabel("Find people").fill("sampson");
    await people.getByText("10,000 people").waitFor();
    expect(await people.getByRole("listitem").count()).toBe(20);
    await people.getByRole("button", { name: "Show 50 more" }).click();
    await people.getByRole("button", { name: "Show 50 more" }).click();
    await eventually(async () => expect(await people.getByRole("listitem").count()).toBe(120));
  },
  slowMilliseconds,
);

browserTest(
  "1,000 channels with something unread are not all drawn, and further ones come on demand",
  async () => {
    await makeLarge();
    const { world } = on;
    for (let index = 0; index < large.channels; index += 1)
      await world.olga.say(`sample channel ${index}`, "news", "Unread");
    const page = await on.open(world.bob, "#inbox");
    await page.setViewportSize({ width: 1440, height: 900 });
    const lines = page.locator(".rail nav a.line");
    const entries = page.locator(".pane .entry");
    await entries.nth(199).waitFor();
    expect([(await lines.count()) < 100, await entries.count()]).toEqual([true, 200]);
    const before = await lines.count();
    await page
      .locator(".rail nav")
      .getByRole("button", { name: /^Show \d+ more$/ })
      .press("Enter");
    await lines.nth(before).waitFor();
    await eventually(async () => expect(await lines.count()).toBe(before + 50));
    // The focus is at the first of those that have come, or at the button for more.
    expect(
      await page.evaluate(() => document.activeElement?.closest(".rail nav li") !== null),
    ).toBe(true);
    await muteChannels(world.bob);
    const muted = page.getByRole("button", { name: /^Muted: / });
    await muted.click();
    const shown = page.locator(".pane .fold").locator("xpath=../following-sibling::ul/li");
    await shown.nth(199).waitFor();
    expect(await shown.count()).toBe(200);
    await page.locator(".pane .chip", { hasText: "Show 50 more" }).last().click();
    await shown.nth(249).waitFor();
  },
  slowMilliseconds,
);

browserTest(
  "a channel with 300 unread topics is not drawn whole, and further topics come on demand",
  async () => {
    const { olga, bob } = on.world;
    const subscriptions = [{ name: "busy" }];
    const asked = { subscriptions, principals: [bob.id], announce: false };
    expect((await olga.post("/users/me/subscriptions", asked)).status).toBe(200);
    for (let index = 0; index < 300; index += 1) await olga.say("busy", `topic ${index}`, "Unread");
    const { stream_id: id } = (await bob.get("/get_stream_id", { stream: "busy" })).body;
    const page = await on.open(bob, `#narrow/channel/${id}-busy/topic/topic.200`);
    await page.locator("article .rendered").waitFor();
    const lines = page.locator(".rail .topics a.line");
    await page.locator(".rail .topics a[aria-current]", { hasText: "topic 0" }).waitFor();
    expect(await lines.count()).toBe(51);
    const more = page.locator("button", { hasText: /^Show \d+ more$/ });
    await page.locator(".rail .topics").locator(more).press("Enter");
    await lines.nth(100).waitFor();
    expect(await lines.count()).toBe(101);
    await page.goto(`https://chat.example.com/#topics/channel/${id}-busy`);
    const entries = page.locator(".pane a.line");
    await entries.nth(199).waitFor();
    expect(await entries.count()).toBe(200);
    await page.locator(".pane").locator(more).press("Enter");
    await entries.nth(299).waitFor();
    // The focus is at the first of those that have come.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toStartWith("topic 99");
  },
  slowMilliseconds,
);

browserTest(
  "of 10,000 people who have read a message those in sight are drawn, and the others by scrolling",
  async () => {
    await makeLarge();
    const { alice, bob, channels } = on.world;
    await alice.say("general", "minutes", "The minutes are there.");
    const { body } = await bob.get("/users");
    const ids = body.members.map(({ user_id: id }: { user_id: number }) => id);
    const page = await on.open(bob, `#narrow/channel/${channels.general}-general/topic/minutes`);
    await page.route("**/read_receipts*", (route) =>
      route.fulfill({ json: { result: "success", msg: "", user_ids: ids } }),
    );
    await page.getByRole("article").filter({ hasText: "The minutes" }).focus();
    await page.keyboard.press("Shift+V");
    const dialog = page.getByRole("dialog");
    const rows = dialog.getByRole("listitem");
    await rows.first().waitFor();
    expect(Number(await rows.first().getAttribute("aria-setsize"))).toBe(ids.length);
    expect(await rows.count()).toBeLessThan(100);
    await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await dialog.locator(`li[aria-posinset="${ids.length}"]`).waitFor();
    expect(await rows.count()).toBeLessThan(100);
  },
  slowMilliseconds,
);

/** Mutes 250 of the channels that are made. */
async function muteChannels(person: Person): Promise<void> {
  const { body } = await person.get("/users/me/subscriptions");
  const rows: { name: string; stream_id: number }[] = body.subscriptions;
  const ids = rows.flatMap(({ name, stream_id: id }) => (name.startsWith("sample") ? [id] : []));
  const subscription_data = ids
    .slice(0, 250)
    .map((id) => ({ stream_id: id, property: "is_muted", value: true }));
  const { status } = await person.post("/users/me/subscriptions/properties", { subscription_data });
  expect(status).toBe(200);
}
