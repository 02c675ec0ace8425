import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";
import { anchorCases } from "../engines/anchor-cases";
import { pageTab } from "../engines/page-tab";

const on = stage();

const written = anchorCases({
  get world() {
    return on.world;
  },
  test: browserTest,
  open: async (person, fragment) => pageTab(await on.open(person, fragment)),
});

const row = (page: Page, content: string) =>
  page.getByRole("article").filter({ hasText: content }).first();

browserTest("what is unread begins below a line that stays where it was on entry", async () => {
  const { alice, carol, channels } = on.world;
  for (let count = 0; count < 3; count += 1) await alice.say("general", "news", `new ${count}`);
  const page = await on.open(carol, `#narrow/channel/${channels.general}-general/topic/news`);
  await page.getByText("3 new", { exact: true }).waitFor();
  await alice.say("general", "news", "one more");
  await row(page, "one more").waitFor();
  await page.getByText("3 new", { exact: true }).waitFor();
});

browserTest("one click leads back to the newest message, from wherever one reads", async () => {
  const { alice, bob, channels } = on.world;
  const ids = await written();
  await alice.say("general", "long", "the newest of all");
  const near = `#narrow/channel/${channels.general}-general/topic/long/near/${ids[10]}`;
  const page = await on.open(bob, near);
  await row(page, "Message 10.").waitFor();
  await page.getByRole("button", { name: "To the newest message" }).click();
  await row(page, "the newest of all").waitFor();
  await page.getByRole("button", { name: "To the newest message" }).waitFor({ state: "detached" });
  await pageTab(page).wheel(-4_000);
  await page.getByRole("button", { name: "To the newest message" }).click();
  await row(page, "the newest of all").waitFor();
});

browserTest("what is pressed stays under the pointer until it is released", async () => {
  const { alice, bob, channels } = on.world;
  for (let count = 0; count < 30; count += 1) await bob.say("general", "press", `before ${count}.`);
  await alice.post("/mark_all_as_read", {});
  const page = await on.open(alice, `#narrow/channel/${channels.general}-general/topic/press`);
  await row(page, "before 29.").hover();
  const more = row(page, "before 29.").getByRole("toolbar").getByRole("button", { name: "More" });
  await more.hover();
  const before = await more.boundingBox();
  await page.mouse.down();
  for (let count = 0; count < 3; count += 1) await bob.say("general", "press", `within ${count}.`);
  await row(page, "within 2.").waitFor();
  expect((await more.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
  await page.mouse.up();
  await page.getByRole("menu", { name: "Message actions" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => {
    const feed = document.querySelector(".feed");
    return feed && feed.scrollHeight - feed.scrollTop - feed.clientHeight < 2;
  });
});
