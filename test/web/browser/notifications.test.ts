import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";

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
  await bob.patch("/settings", { desktop_icon_count_display: 2 });
  await iconHas(page, ">1</text>");
  await bob.patch("/settings", { desktop_icon_count_display: 3 });
  await page.waitForFunction(() => document.title.startsWith("Recent"));
  expect(await iconOf(page)).not.toMatch(/<circle|>\d+<\/text>/);
  await bob.patch("/settings", { desktop_icon_count_display: 2 });
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
