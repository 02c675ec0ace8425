import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { Person } from "../../support/world";
import { browserTest, origin, stage } from "../browser";
import { until } from "../waiting";

/* The time zone of an account, which the browser of the person knows. */

const on = stage();

const zoneOf = async (person: Person): Promise<string> =>
  (await person.get("/users/me")).body.timezone;

/** Opens the client, until it has asked for events; answers whether it has changed a setting before. */
async function changesSettings(page: Page): Promise<boolean> {
  const changes: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") changes.push(request.url());
  });
  const polled = page.waitForRequest((request) => request.url().includes("/api/v1/events"));
  await page.goto(`${origin}/#inbox`);
  await polled;
  return changes.length > 0;
}

browserTest("the browser's time zone is the account's, until the person wants none", async () => {
  on.browsersAre({ timezoneId: "Asia/Tokyo" });
  const { alice } = on.world;
  const page = await on.open(alice, "#inbox");
  await until(async () => (await zoneOf(alice)) === "Asia/Tokyo");
  await page.goto(`${origin}/#settings/profile`);
  await page.getByLabel("Time zone").selectOption({ label: "Not specified" });
  await until(async () => (await zoneOf(alice)) === "");
  await until(async () => {
    const { state } = await alice.register({ fetch_event_types: ["user_settings"] });
    return state.user_settings.web_suggest_update_timezone === false;
  });
  expect(await changesSettings(await on.newTab(alice))).toBe(false);
  expect(await zoneOf(alice)).toBe("");
});

browserTest("a time zone that an account has stays", async () => {
  const { bob } = on.world;
  await bob.patch("/settings", { timezone: "Europe/Paris" });
  on.browsersAre({ timezoneId: "Asia/Tokyo" });
  expect(await changesSettings(await on.newTab(bob))).toBe(false);
  expect(await zoneOf(bob)).toBe("Europe/Paris");
});

browserTest("a browser that hides its time zone stores none", async () => {
  const { carol } = on.world;
  on.browsersAre({ timezoneId: "UTC" });
  expect(await changesSettings(await on.newTab(carol))).toBe(false);
  expect(await zoneOf(carol)).toBe("");
});
