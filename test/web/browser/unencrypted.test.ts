import { expect } from "bun:test";
import { browserTest, stage } from "../browser";
import { until } from "../waiting";

/*
 * The client at an address of the local network, which is not encrypted: browsers give it less
 * there.
 */

const on = stage();

browserTest("on an unencrypted address drafts are stored, and the title counts", async () => {
  const { alice, bob, channels } = on.world;
  const page = await on.newTab(alice);
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, "randomUUID"));
  await on.openIn(page, `#narrow/channel/${channels.general}-general/topic/lan`);
  await page.locator(".compose textarea").fill("A text for another device");
  await until(async () => (await alice.get("/drafts")).body.drafts.length === 1);
  await bob.tell([alice], "Are you there?");
  await page.waitForFunction(() => document.title.startsWith("(1)"));
});

browserTest("after its queue has ended, a page without locks repeats a lost request", async () => {
  const { alice, channels } = on.world;
  const page = await on.newTab(alice);
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "locks"));
  await on.openIn(page, `#narrow/channel/${channels.general}-general/topic/lan`);
  const queue = await page.evaluate(
    () => JSON.parse(document.getElementById("snapshot")?.textContent ?? "").queue_id,
  );
  const followsAnother = page.waitForRequest(
    (request) => request.url().includes("/events?") && !request.url().includes(queue),
  );
  on.network.cut();
  expect((await alice.delete("/events", { queue_id: queue })).status).toBe(200);
  on.network.mend();
  await followsAnother;
  await page.route("**/api/v1/messages", (route) => route.abort(), { times: 1 });
  await page.locator(".compose textarea").fill("Is anybody there?");
  await page.keyboard.press("Control+Enter");
  const sent = page.getByRole("article").filter({ hasText: "Is anybody there?" });
  await sent
    .locator("time")
    .or(sent.getByRole("button", { name: "Send it" }))
    .waitFor();
  expect(await sent.getByRole("button", { name: "Send it" }).count()).toBe(0);
});
