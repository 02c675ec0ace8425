import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { Person } from "../../support/world";
import { browserTest, rowOf, stage, topicIn } from "../browser";
import { holdAnswer } from "../held-answer";
import { shortenWaits } from "../short-waits";
import { until } from "../waiting";

const on = stage();

/** Opens a tab that reads messages in sight at once, and not after a second and a half. */
async function openReading(person: Person, fragment: string): Promise<Page> {
  const page = await on.newTab(person);
  await page.addInitScript(shortenWaits, { of: 1_000, to: 0 });
  await page.addInitScript(shortenWaits, { of: 500, to: 0 });
  return on.openIn(page, fragment);
}

/** The line of the channel in the rail, with so many unread messages. */
const unreadIn = (page: Page, count: number) =>
  page
    .getByRole("navigation")
    .getByRole("link", { name: `general ${count} message${count === 1 ? "" : "s"} unread` })
    .waitFor();

const nothingUnread = (page: Page) =>
  page.getByRole("navigation").getByRole("link", { name: "general", exact: true }).waitFor();

browserTest("messages that come into Bob's sight are read, in his other tab too", async () => {
  const { alice, bob } = on.world;
  const elsewhere = await on.open(bob, topicIn(on, "elsewhere"));
  await alice.say("general", "lunch", "Soup?");
  await alice.say("general", "lunch", "Or noodles?");
  await unreadIn(elsewhere, 2);
  const there = await openReading(bob, topicIn(on, "lunch"));
  await rowOf(there, "Or noodles?").waitFor();
  await nothingUnread(elsewhere);
});

browserTest(
  "messages are not read where Bob does not want it, but by his word, and can be undone",
  async () => {
    const { alice, bob } = on.world;
    await bob.patch("/settings", { web_mark_read_on_scroll_policy: 3 });
    const page = await on.open(bob, topicIn(on, "quiet"));
    await alice.say("general", "quiet", "Read me.");
    await rowOf(page, "Read me.").waitFor();
    await unreadIn(page, 1);
    await page.getByRole("button", { name: "Topic actions" }).click();
    await page.getByRole("menuitem", { name: "Mark topic as read" }).click();
    await nothingUnread(page);
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await unreadIn(page, 1);
    await bob.post("/mark_all_as_read");
    await bob.patch("/settings", { web_mark_read_on_scroll_policy: 1 });
    await nothingUnread(page);
  },
);

browserTest("messages that Bob marks as unread stay so while he is there", async () => {
  const { alice, bob } = on.world;
  const page = await openReading(bob, topicIn(on, "later"));
  await alice.say("general", "later", "One.");
  await alice.say("general", "later", "Two.");
  await rowOf(page, "Two.").waitFor();
  await nothingUnread(page);
  await rowOf(page, "One.").hover();
  await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Mark as unread from here" }).click();
  await unreadIn(page, 2);
  await alice.say("general", "later", "Three.");
  await rowOf(page, "Three.").waitFor();
  await unreadIn(page, 3);
  // Another tab reads meanwhile, so that there was time enough to read them.
  const other = await on.open(bob, topicIn(on, "meanwhile"));
  await alice.say("general", "meanwhile", "Four.");
  await unreadIn(page, 4);
  await rowOf(other, "Four.").waitFor();
  await unreadIn(page, 3);
  await other.close();
  // Messages are read again when he comes back.
  await page.goto(`${new URL(page.url()).origin}/${topicIn(on, "elsewhere")}`);
  await page.getByRole("heading", { level: 1, name: /elsewhere/ }).waitFor();
  await page.goBack();
  await nothingUnread(page);
});

browserTest("a search leaves unread what it shows, and a conversation reads it", async () => {
  const { alice, bob } = on.world;
  const id = await alice.say("general", "menu", "Soup of the day.");
  const isRead = async (messageId: number) =>
    (await bob.get(`/messages/${messageId}`)).body.message.flags.includes("read");
  const page = await openReading(bob, `#narrow/sender/${alice.id}`);
  await rowOf(page, "Soup of the day.").waitFor();
  // Another tab reads a later message, so that there was time enough to read this one.
  const other = await openReading(bob, topicIn(on, "dessert"));
  const later = await alice.say("general", "dessert", "Pudding.");
  await rowOf(page, "Pudding.").waitFor();
  await until(() => isRead(later));
  expect(await isRead(id)).toBe(false);
  await other.close();
  await page.evaluate(
    (fragment) => {
      location.hash = fragment;
    },
    topicIn(on, "menu"),
  );
  await until(() => isRead(id));
});

browserTest("messages that Bob's phone marks as unread stay so on his open screen", async () => {
  const { alice, bob } = on.world;
  const page = await openReading(bob, topicIn(on, "phone"));
  const other = await openReading(bob, topicIn(on, "tablet"));
  const id = await alice.say("general", "phone", "Look at this tonight.");
  await rowOf(page, "Look at this tonight.").waitFor();
  await nothingUnread(page);
  await bob.post("/messages/flags", { messages: [id], op: "remove", flag: "read" });
  await unreadIn(other, 1);
  // The other tab reads on, and so there was time enough to read it here.
  const later = await alice.say("general", "tablet", "Look at that now.");
  const isRead = async (messageId: number) =>
    (await bob.get(`/messages/${messageId}`)).body.message.flags.includes("read");
  await until(() => isRead(later));
  await unreadIn(page, 1);
  expect(await isRead(id)).toBe(false);
  await bob.post("/mark_all_as_read");
});

browserTest(
  "messages that Bob's phone marks as unread before his screen knows that they are read are read when he comes back",
  async () => {
    const { alice, bob } = on.world;
    const page = await openReading(bob, topicIn(on, "tram"));
    const answer = await holdAnswer(page, "/messages/flags");
    const id = await alice.say("general", "tram", "Look at this on the tram.");
    await answer.asked();
    await nothingUnread(page);
    await bob.post("/messages/flags", { messages: [id], op: "remove", flag: "read" });
    await unreadIn(page, 1);
    await answer.letGo();
    await page.goto(`${new URL(page.url()).origin}/${topicIn(on, "elsewhere")}`);
    await page.getByRole("heading", { level: 1, name: /elsewhere/ }).waitFor();
    await page.goBack();
    await nothingUnread(page);
  },
);

browserTest(
  "messages that were read without a connection are told of when it is back",
  async () => {
    const { alice, bob } = on.world;
    await alice.say("general", "train", "Read me in the tunnel.");
    // Not by `openReading`, because the network is cut before the message is read.
    const page = await on.open(bob, topicIn(on, "train"));
    const failed = page.waitForEvent("requestfailed", (request) =>
      request.url().includes("/messages/flags"),
    );
    on.network.cut();
    await rowOf(page, "Read me in the tunnel.").waitFor();
    await failed;
    on.network.mend();
    await nothingUnread(page);
    const { body } = await bob.get("/messages", {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
    });
    expect(body.messages[0].flags).toContain("read");
  },
);

browserTest(
  "readers of a message are listed, but not those who do not tell what they read",
  async () => {
    const { alice, bob, carol, channels } = on.world;
    const id = await alice.say("general", "minutes", "The minutes are there.");
    expect((await carol.patch("/settings", { send_read_receipts: false })).status).toBe(200);
    for (const reader of [bob, carol])
      await reader.post("/messages/flags", { messages: [id], op: "add", flag: "read" });
    const page = await on.open(alice, `#narrow/channel/${channels.general}-general/topic/minutes`);
    await page.getByRole("article").filter({ hasText: "The minutes" }).focus();
    await page.keyboard.press("Shift+V");
    const readers = page.getByRole("dialog").getByRole("listitem");
    await readers.first().waitFor();
    expect(await readers.locator(".name").allTextContents()).toEqual(["Bob"]);
  },
);

browserTest("all messages begin at the first new one that Bob has not muted", async () => {
  const { alice, bob, channels } = on.world;
  await bob.post("/mark_all_as_read");
  const muted = { stream_id: channels.general, topic: "noise", visibility_policy: 1 };
  expect((await bob.post("/user_topics", muted)).status).toBe(200);
  await alice.say("general", "noise", "Muted and new");
  await alice.say("general", "signal", "Heard and new");
  const page = await on.open(bob, "#feed");
  const divider = rowOf(page, "Heard and new").locator(".new", { hasText: "1 new" });
  await divider.waitFor();
  expect(await page.locator(".new").count()).toBe(1);
});
