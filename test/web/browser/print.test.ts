import { expect } from "bun:test";
import { browserTest, stage } from "../browser";

/* A conversation on paper. */

const on = stage();

browserTest("a conversation is printed on as many pages as it takes, dark on white", async () => {
  const { bob } = on.world;
  for (let line = 1; line <= 30; line += 1)
    await bob.say("general", "minutes", `Decision ${line}.\n\nReason ${line}.`);
  await bob.post("/mark_all_as_read", {});
  const page = await on.open(
    bob,
    `#narrow/channel/${on.world.channels.general}-general/topic/minutes`,
  );
  await page.getByText("Decision 30.", { exact: true }).waitFor();
  const feed = page.locator(".feed");
  await feed.evaluate((one) => one.scrollBy(0, -300));
  const top = () => feed.evaluate((one) => one.scrollTop);
  const before = await top();
  const pages = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type \/Page\b/g);
  expect(pages?.length).toBeGreaterThan(1);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.setViewportSize({ width: 794, height: 1_123 });
  const { ground, heights } = await page.evaluate(() => ({
    ground: getComputedStyle(document.body).backgroundColor,
    heights: [document.documentElement.scrollHeight, innerHeight],
  }));
  expect(ground).toBe("rgb(255, 255, 255)");
  expect(heights[0]).toBeGreaterThan((heights[1] ?? 0) * 1.5);
  for (const part of [".rail", ".compose", ".head .end"])
    expect(await page.locator(part).isVisible()).toBe(false);
});

browserTest("what is pressed or written in is not printed", async () => {
  const { alice, bob, channels } = on.world;
  await bob.say("general", "printed", "/poll Where?\nHere");
  await bob.say("general", "printed", "```js\nconst all = 1;\n```");
  const page = await on.open(alice, `#narrow/channel/${channels.general}-general/topic/printed`);
  await page.locator(".widget .add").waitFor();
  await page.locator(".codehilite").hover();
  await page.emulateMedia({ media: "print" });
  for (const part of [".widget .add", ".code-tools"])
    expect(await page.locator(part).isVisible()).toBe(false);
});
