import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { en as words } from "../../../src/web/words/en";
import type { Person } from "../../support/world";
import { browserTest, origin, stage } from "../browser";
import { untilKept } from "../kept-by-browser";
import { shortenWaits } from "../short-waits";
import { until } from "../waiting";

/* The time zone of an account, which the browser of the person knows. */

const on = stage();

const zoneOf = async (person: Person): Promise<string> =>
  (await person.get("/users/me")).body.timezone;

/**
 * Opens the client, until it has asked for events; answers whether it has changed a setting before.
 */
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

for (const timezoneId of ["UTC", "Atlantic/Reykjavik"])
  browserTest(`a browser that hides its time zone as ${timezoneId} stores none`, async () => {
    const { carol } = on.world;
    on.browsersAre({ timezoneId });
    expect(await changesSettings(await on.newTab(carol))).toBe(false);
    expect(await zoneOf(carol)).toBe("");
  });

browserTest("of two time zones that are chosen at once, the account has the second", async () => {
  const { mona } = on.world;
  await mona.patch("/settings", { timezone: "Europe/Paris" });
  const page = await on.open(mona, "#settings/profile");
  const { promise: isHeld, resolve: go } = Promise.withResolvers<void>();
  const held = page.waitForRequest((request) => request.method() === "PATCH");
  await page.route("**/api/v1/settings", async (route) => {
    await isHeld;
    await route.continue();
  });
  const zone = page.getByLabel("Time zone");
  await zone.selectOption({ label: "Not specified" });
  // One request has both, so that it is done before a later choice.
  const { timezone, web_suggest_update_timezone: isSuggested } = Object.fromEntries(
    new URLSearchParams((await held).postData() ?? ""),
  );
  expect([timezone, isSuggested]).toEqual(["", "false"]);
  await zone.selectOption("Asia/Tokyo");
  expect(await zone.inputValue()).toBe("Asia/Tokyo");
  go();
  await until(async () => (await zoneOf(mona)) === "Asia/Tokyo");
  expect(await zone.inputValue()).toBe("Asia/Tokyo");
});

browserTest("an open page follows the device into another time zone", async () => {
  const { alice, bob, channels, clock } = on.world;
  const sentAt = clock.now() * 1_000;
  const named = new Date(sentAt).toISOString();
  await bob.say("general", "journey", `Boarding now, <time:${named}>`);
  const page = await on.newTab(alice);
  await page.clock.install({ time: sentAt });
  await on.openIn(page, `#narrow/channel/${channels.general}-general/topic/journey`);
  const row = page.getByRole("article").filter({ hasText: "Boarding now" });
  const time = row.locator("time").first();
  const inside = row.locator(".rendered time");
  const day = page.locator(".day");
  const shows = async (timeZone: string) => {
    const told = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat("en", { ...options, timeZone }).format(sentAt);
    const hour = told({ hour: "numeric", minute: "2-digit", hourCycle: "h12" });
    const date = told({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
    await until(
      async () =>
        (await time.textContent()) === hour &&
        (await day.textContent()) === date &&
        (await inside.textContent())?.includes(hour) === true,
    );
  };
  const session = await page.context().newCDPSession(page);
  for (const timezoneId of ["Europe/Berlin", "America/New_York", "Pacific/Kiritimati"]) {
    await session.send("Emulation.setTimezoneOverride", { timezoneId });
    await page.clock.fastForward(15_000);
    await shows(timezoneId);
  }
});

browserTest("a page from the browser's own state stores no time zone", async () => {
  const { adam, bob } = on.world;
  on.browsersAre({ timezoneId: "Asia/Tokyo", serviceWorkers: "allow" });
  await adam.patch("/settings", { timezone: "" });
  await bob.say("general", "trains", "Leaving now");
  const page = await on.newTab(adam);
  await page.context().addInitScript(shortenWaits, { of: 3_000, to: 0, most: 1 });
  await page.route("**/api/v1/settings", (route) => route.abort());
  await on.openIn(page, "#feed");
  await untilKept(page, "Leaving now");
  let changes = 0;
  page.on("request", (request) => {
    if (request.method() === "PATCH") changes += 1;
  });
  on.network.cut();
  await page.reload();
  await page.getByText(words.offline).waitFor();
  on.network.mend();
  await page.getByText(words.offline).waitFor({ state: "detached" });
  expect(changes).toBe(0);
  expect(await zoneOf(adam)).toBe("");
});
