import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";

/* Presence, as a page shows it. */

const on = stage();

const hourSeconds = 3_600;

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
