import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { box, browserTest, stage, topicIn } from "../browser";
import { requestsUnderWay } from "../requests";
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

browserTest("without locks, too, a message that a closed tab has left is sent once", async () => {
  const { alice } = on.world;
  const first = await on.open(alice, topicIn(on, "left"));
  await first.context().addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "locks");
  });
  await first.reload();
  const third = await on.open(alice, topicIn(on, "left"));
  const second = await on.open(alice, topicIn(on, "left"));
  const queue = await third.evaluate(
    () => JSON.parse(document.getElementById("snapshot")?.textContent ?? "").queue_id,
  );
  const asking = [first, second].map((page) =>
    requestsUnderWay([page], (request) => request.url().includes("dont_block=true")),
  );
  on.network.cut();
  for (const text of ["Perhaps sent", "Not sent yet"]) {
    await box(third).fill(text);
    await box(third).press("Control+Enter");
  }
  await third.close();
  await alice.delete("/events", { queue_id: queue });
  on.network.mend();
  on.network.hold();
  await until(async () => asking.every(({ size }) => size > 0));
  on.network.mend();
  const row = (page: Page) => page.getByRole("article").filter({ hasText: "Not sent yet" });
  for (const page of [first, second]) await row(page).locator("time").waitFor();
  const { body } = await alice.get("/messages", {
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: "topic", operand: "left" }],
  });
  // The closed tab's last request may have reached the server.
  const contents = body.messages.map(({ content }: { content: string }) => content);
  expect(contents.sort()).toEqual([...new Set(contents)]);
  expect(contents).toContain("<p>Not sent yet</p>");
});

browserTest("without locks, a message stays tried where another tab's question fails", async () => {
  const { alice } = on.world;
  const writing = await on.newTab(alice);
  await writing.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "locks"));
  await on.openIn(writing, topicIn(on, "tried"));
  const asking = await on.newTab(alice);
  await asking.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "locks");
    // Learns that the message was written, and not yet that it was tried.
    let changes = 0;
    addEventListener("storage", (event) => {
      const isOfMessage = event instanceof StorageEvent && event.key?.startsWith("chatd outbox");
      if (!isOfMessage) return;
      changes += 1;
      if (changes > 1) event.stopImmediatePropagation();
    });
  });
  await on.openIn(asking, topicIn(on, "tried"));
  const asked = asking.waitForRequest((request) => request.url().includes("dont_block=true"));
  const outbox = () =>
    writing.evaluate(() =>
      Object.keys(localStorage)
        .filter((key) => key.startsWith("chatd outbox"))
        .map((key) => JSON.parse(localStorage.getItem(key) ?? "").isTried),
    );
  on.network.hold();
  await box(writing).fill("Was it sent?");
  await box(writing).press("Control+Enter");
  const failed = asking.waitForEvent("requestfailed", (request) =>
    asked.then((one) => one === request),
  );
  on.network.cut();
  await failed;
  await asking.evaluate(() => undefined);
  expect(await outbox()).toEqual([true]);
  on.network.mend();
});
