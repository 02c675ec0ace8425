import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";
import { holdAnswer } from "../held-answer";

/* Presence, as a page shows it. */

const on = stage();

const hourSeconds = 3_600;

/** Puts the clock of a page an hour on, as it is after its computer has slept. */
const sleepAnHour = (page: Page) =>
  page.evaluate((seconds) => {
    const read = Date.now;
    Date.now = () => read() + seconds * 1_000;
  }, hourSeconds);

const line = (page: Page, name: string) => page.locator("aside .line", { hasText: name });

browserTest(
  "who has gone is shown so in every tab, although this computer's clock was wrong",
  async () => {
    const { alice, bob, clock } = on.world;
    expect((await alice.post("/users/me/presence", { status: "active" })).status).toBe(200);
    const page = await on.open(bob, "#feed");
    const other = await on.open(bob, "#feed");
    for (const tab of [page, other]) await line(tab, "Alice").locator(".presence.here").waitFor();
    // Both clocks go on by an hour. A computer whose clock is put back meanwhile does not see it.
    clock.advance(hourSeconds);
    on.network.cut();
    for (const tab of [page, other]) await tab.getByText("Cannot reach the server").waitFor();
    on.network.mend();
    for (const tab of [page, other]) await line(tab, "Alice").locator(".presence.off").waitFor();
  },
);

browserTest("a tab that hears of others late, after it was frozen, keeps its clock", async () => {
  const { alice, bob } = on.world;
  expect((await alice.post("/users/me/presence", { status: "active" })).status).toBe(200);
  const page = await on.open(bob, "#feed");
  const other = await on.open(bob, "#feed");
  for (const tab of [page, other]) await line(tab, "Alice").locator(".presence.here").waitFor();
  // An hour lies between what one tab tells and the moment when the other one hears it.
  await sleepAnHour(other);
  on.network.cut();
  for (const tab of [page, other]) await tab.getByText("Cannot reach the server").waitFor();
  on.network.mend();
  await line(other, "Alice").locator(".presence.off").waitFor();
  await line(page, "Alice").locator(".presence.here").waitFor();
});

browserTest("an answer that comes an hour late leaves the clock as it is", async () => {
  const { alice, bob } = on.world;
  expect((await alice.post("/users/me/presence", { status: "active" })).status).toBe(200);
  const page = await on.open(bob, "#feed");
  await line(page, "Alice").locator(".presence.here").waitFor();
  const { asked, letGo } = await holdAnswer(page, "/users/me/presence");
  on.network.cut();
  await page.getByText("Cannot reach the server").waitFor();
  on.network.mend();
  await asked();
  await sleepAnHour(page);
  await letGo();
  await line(page, "Alice").locator(".presence.off").waitFor();
});
