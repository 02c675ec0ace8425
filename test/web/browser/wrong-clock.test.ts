import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { Person } from "../../support/world";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

/* A computer whose clock is wrong: the page goes by the server's clock. */

const on = stage();

const aheadSeconds = 400 * 86_400 + 5 * 3_600;

/** Opens a fragment where the computer's clock is more than a year ahead of the server's. */
async function openAhead(person: Person, fragment: string): Promise<Page> {
  const page = await on.newTab(person);
  await page.clock.install({ time: (on.world.clock.now() + aheadSeconds) * 1_000 });
  return on.openIn(page, fragment);
}

const inTopic = (topic: string) =>
  `#narrow/channel/${on.world.channels.general}-general/topic/${topic}`;

browserTest("a message that was just sent has its hour among recent conversations", async () => {
  const { alice, bob, channels, clock } = on.world;
  await alice.say("general", "hours", "just now");
  const page = await openAhead(bob, "#recent");
  const time = page.locator(`.entry:has([href*="/${channels.general}-general/topic/hours"]) time`);
  const hour = new Intl.DateTimeFormat("en", {
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h12",
  }).format(clock.now() * 1_000);
  await eventually(async () => expect(await time.textContent()).toBe(hour));
});

browserTest("somebody's card has their local time", async () => {
  const { alice, bob, clock } = on.world;
  await bob.patch("/settings", { timezone: "Asia/Tokyo" });
  await bob.say("general", "cards", "from afar");
  const page = await openAhead(alice, inTopic("cards"));
  const row = page.getByRole("article").filter({ hasText: "from afar" });
  await row.getByText("Bob", { exact: true }).click();
  const told = new Intl.DateTimeFormat("en", {
    weekday: "short",
    hour: "numeric",
    timeZone: "Asia/Tokyo",
  }).format(clock.now() * 1_000);
  const [day = "", hour = ""] = told.replace(/\s[AP]M$/, "").split(/,? /);
  const here = page.locator(".card").getByText(/there$/);
  await eventually(async () =>
    expect(await here.textContent()).toMatch(new RegExp(`${day}.* ${hour}:`)),
  );
});

browserTest("the times that are offered while a message is written are still to come", async () => {
  const { alice, clock } = on.world;
  const page = await openAhead(alice, inTopic("meeting"));
  const box = page.locator(".compose textarea");
  await box.pressSequentially("<time:");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await eventually(async () => {
    const offered = Date.parse(/<time:(.*)> /.exec(await box.inputValue())?.[1] ?? "") / 1_000;
    expect(offered - clock.now()).toBeWithin(0, 3_601);
  });
});
