import { afterAll, beforeAll, expect } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import type { Page } from "playwright-core";
import { errorOf } from "../../support/outcome";
import { makeWorld, type World } from "../../support/world";
import { browserTest, hasBrowser, launchBrowser } from "../browser";
import { type LentBrowser, lendBrowser, origin, takeBack } from "../lent-browsers";

/* Browsers that go from one file to the next, each of which has a world of its own. */

const asked = process.env["CHATD_TEST_KEEPS_BROWSERS"];
let first: World;
let second: World;

beforeAll(async () => {
  process.env["CHATD_TEST_KEEPS_BROWSERS"] = "1";
  [first, second] = await Promise.all([makeWorld({ url: origin }), makeWorld({ url: origin })]);
  expect((await second.olga.patch("/realm", { name: "Second" })).status).toBe(200);
});

afterAll(async () => {
  if (asked === undefined) delete process.env["CHATD_TEST_KEEPS_BROWSERS"];
  else process.env["CHATD_TEST_KEEPS_BROWSERS"] = asked;
  // Where none stays after its file, the last one ends with this loan.
  if (hasBrowser) await borrow(second, async () => undefined);
  await Promise.all([first.close(), second.close()]);
});

/** Does something in a browser that leads to a world, as a file of tests does. */
async function borrow<Result>(world: World, use: (lent: LentBrowser) => Promise<Result>) {
  const lent = await lendBrowser(world.site, launchBrowser);
  try {
    return await use(lent);
  } finally {
    await takeBack(lent);
  }
}

/** Name of the organization that a tab is led to. */
async function organizationIn(tab: Page): Promise<string> {
  await tab.goto(`${origin}/robots.txt`);
  return tab.evaluate(async () => {
    const answer = await fetch("/api/v1/server_settings");
    return (await answer.json()).realm_name;
  });
}

/** A tab that an earlier file has kept, or a new one. */
async function tabOf({ browser, tabs }: LentBrowser): Promise<Page> {
  const options = { ignoreHTTPSErrors: true, serviceWorkers: "block" } as const;
  return tabs.take() ?? tabs.add(await browser.newContext(options));
}

browserTest("a browser and its tab are led from the world of one file to the next", async () => {
  const before = await borrow(first, async (lent) => {
    const tab = await tabOf(lent);
    expect(await organizationIn(tab)).toBe("Acme");
    await lent.tabs.keepOne(tab.context());
    return { lent, tab };
  });
  await borrow(second, async (lent) => {
    expect(lent === before.lent).toBe(true);
    const tab = lent.tabs.take();
    if (tab === undefined) throw new Error("No tab was kept.");
    expect(tab === before.tab).toBe(true);
    expect(await organizationIn(tab)).toBe("Second");
    await tab.context().close();
  });
});

browserTest("a browser that is taken back reaches no world", async () => {
  const { tab } = await borrow(first, async (lent) => {
    const opened = await tabOf(lent);
    await organizationIn(opened);
    return { tab: opened };
  });
  expect(await errorOf(organizationIn(tab))).toMatchObject({
    message: expect.stringContaining("net::ERR_"),
  });
  await tab.context().close();
});

browserTest("a browser that has died gives way to a new one, and its network ends", async () => {
  const dead = await borrow(first, async (lent) => lent);
  await dead.browser.close();
  await borrow(second, async (lent) => {
    expect(lent === dead).toBe(false);
    const tab = await tabOf(lent);
    expect(await organizationIn(tab)).toBe("Second");
    await tab.context().close();
  });
  const refused = errorOf(once(connect(dead.network.port, "127.0.0.1"), "connect"));
  expect(await refused).toMatchObject({ code: "ECONNREFUSED" });
});
