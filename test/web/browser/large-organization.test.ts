import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";

/* An organization of 10,000 people and 1,000 channels: nobody waits for a key. */

const on = stage();
const peopleCount = 10_000;
const channelCount = 1_000;
const slowMilliseconds = 120_000;
const taskMillisecondsMax = 50;

async function growLarge(): Promise<void> {
  const { world } = on;
  const realmId = world.operator.realm.id;
  const rows = Array.from({ length: peopleCount }, (_, index) => ({
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
  const names = Array.from({ length: channelCount }, (_, index) => `sample channel ${index}`);
  for (let from = 0; from < names.length; from += 250) {
    const subscriptions = names.slice(from, from + 250).map((name) => ({ name }));
    const asked = { subscriptions, principals: [world.bob.id], announce: false };
    expect((await world.olga.post("/users/me/subscriptions", asked)).status).toBe(200);
  }
  // New channels are announced in their first messages.
  expect((await world.bob.post("/mark_all_as_read", {})).status).toBe(200);
}

/** A part of a browser's own record of what its threads do. */
interface Traced {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own time, which does not grow while others use the machine. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest tasks of the main thread while something is done, in milliseconds. */
async function longestTasks(page: Page, act: () => Promise<void>): Promise<readonly number[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error("The page has no browser.");
  const session = await browser.newBrowserCDPSession();
  const traced: Traced[] = [];
  session.on("Tracing.dataCollected", ({ value }) =>
    traced.push(...(value as unknown as Traced[])),
  );
  const isComplete = new Promise((complete) => session.once("Tracing.tracingComplete", complete));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["disabled-by-default-devtools.timeline", "__metadata"] },
  });
  await act();
  await session.send("Tracing.end");
  await isComplete;
  const mainThreads = traced
    .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
    .map(({ pid, tid }) => `${pid} ${tid}`);
  return traced
    .filter(({ name, pid, tid }) => name === "RunTask" && mainThreads.includes(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1_000)
    .sort((one, other) => other - one)
    .slice(0, 3);
}

/** Presses keys one after the other, each when the one before it is painted. */
async function press(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen))));
  }
}

browserTest(
  "no key in the palette or in a search takes longer, and no list is drawn whole",
  async () => {
    await growLarge();
    const page = await on.open(on.world.bob, "#inbox");
    await page.setViewportSize({ width: 1440, height: 900 });
    const options = page.locator("[role=option]");
    const inPalette = await longestTasks(page, async () => {
      await press(page, ["Control+k", ..."samp 1 of", "Backspace"]);
    });
    await options.first().waitFor();
    expect(await options.count()).toBeLessThan(20);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const inSearch = await longestTasks(page, async () => {
      await press(page, ["/", ..."samp from:samp", "Backspace", ..." channel:sample"]);
    });
    await options.first().waitFor();
    expect(await options.count()).toBeLessThan(20);
    for (const tasks of [inPalette, inSearch]) {
      expect(tasks.length).toBeGreaterThan(0);
      expect(Math.max(...tasks)).toBeLessThan(taskMillisecondsMax);
    }
  },
  slowMilliseconds,
);
