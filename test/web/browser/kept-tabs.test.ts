import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, origin, stage } from "../browser";
import { eventually } from "../waiting";

/* Tabs that stay for the next test, which begins as if nobody had used them. */

const on = stage();

let before: Page | undefined;
let heard = 0;

browserTest("somebody leaves traces of every kind in a tab", async () => {
  const page = await on.open(on.world.alice, "#inbox");
  before = page;
  await page.addInitScript(() => Reflect.set(window, "isPrepared", true));
  await page.exposeFunction("tell", () => "told");
  await page.route("**/api/v1/**", (route) => route.abort());
  await page.context().route("**/robots.txt*", (route) => route.abort());
  page.on("request", () => {
    heard += 1;
  });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 400, height: 600 });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await page.reload();
  await page.evaluate(async () => {
    window.name = "named";
    localStorage.setItem("left", "behind");
    sessionStorage.setItem("left", "behind");
    await caches.open("left");
    await new Promise((opened) => {
      indexedDB.open("left").onsuccess = opened;
    });
  });
});

browserTest("the next person finds none of them, and is signed in themselves", async () => {
  const page = await on.newTab(on.world.bob);
  const heardBefore = heard;
  expect(page === before).toBe(true);
  await page.goto(`${origin}/robots.txt`);
  const found = await page.evaluate(async () => ({
    added: ["isPrepared", "tell"].filter((name) => name in window),
    name: window.name,
    stored: Object.keys(localStorage).concat(Object.keys(sessionStorage)),
    caches: await caches.keys(),
    databases: await indexedDB.databases(),
    visited: history.length,
    isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    size: [innerWidth, innerHeight],
    touches: navigator.maxTouchPoints,
  }));
  expect(found).toEqual({
    added: [],
    name: "",
    stored: [],
    caches: [],
    databases: [],
    visited: 1,
    isDark: false,
    size: [1_280, 720],
    touches: 0,
  });
  await on.openIn(page, "#inbox");
  expect(heard).toBe(heardBefore);
  const own = () => page.evaluate(async () => (await fetch("/api/v1/users/me")).json());
  await eventually(async () => expect(await own()).toMatchObject({ user_id: on.world.bob.id }));
});

browserTest("a tab whose clock was set stays for nobody", async () => {
  const page = await on.open(on.world.carol, "#inbox");
  expect(page === before).toBe(true);
  await page.clock.install();
});

browserTest("nobody gets that tab, nor is anybody signed in outside", async () => {
  const page = await on.openOutside();
  expect(page === before).toBe(false);
  expect(before?.isClosed()).toBe(true);
  expect(await page.context().cookies()).toEqual([]);
});

browserTest("six people open a tab each", async () => {
  const { olga, adam, mona, alice, bob, carol } = on.world;
  for (const person of [olga, adam, mona, alice, bob, carol]) await on.newTab(person);
});

browserTest("four of these tabs stay", async () => {
  const page = await on.newTab(on.world.alice);
  expect(page.context().browser()?.contexts()).toHaveLength(4);
});
