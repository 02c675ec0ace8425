import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { breachesIn } from "../axe";
import { box, browserTest, rowOf, stage, topicIn } from "../browser";
import { seeWithoutMessages } from "../views-without-messages";
import { eventually, until } from "../waiting";

const on = stage({}, { pagesGoOn: true });

const leadsToBox = new Set(["r", "c", "x"]);
const isInBox = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest(".compose") instanceof Element);
const lunch = () => topicIn(on, "lunch");

/** Contents of a topic as the server has them, so that nothing is told twice. */
async function contentsIn(topic: string): Promise<string[]> {
  const { body } = await on.world.alice.get("/messages", {
    anchor: "newest",
    num_before: 50,
    num_after: 0,
    apply_markdown: false,
    narrow: [
      { operator: "channel", operand: "general" },
      { operator: "topic", operand: topic },
    ],
  });
  return body.messages.map(({ content }: { content: string }) => content);
}

browserTest("what Alice writes, Bob sees, and it is there once", async () => {
  const { alice, bob } = on.world;
  await bob.say("general", "lunch", "Where shall we eat?");
  const [hers, his] = [await on.open(alice, lunch()), await on.open(bob, lunch())];
  await box(hers).fill("At *home*");
  await box(hers).press("Control+Enter");
  await rowOf(his, "At home").waitFor();
  await rowOf(hers, "At home").locator("em").waitFor();
  await eventually(async () => expect(await rowOf(hers, "At home").count()).toBe(1));
  await eventually(async () => expect(await box(hers).inputValue()).toBe(""));
  expect(await contentsIn("lunch")).toEqual(["Where shall we eat?", "At *home*"]);
});

browserTest("a text stays over a reload, Esc and each single key, until it is sent", async () => {
  const page = await on.open(on.world.alice, lunch());
  const text = "A long thought, not finished";
  await box(page).fill(text);
  await box(page).press("Escape");
  await eventually(async () => expect(await box(page).inputValue()).toBe(text));
  for (const key of ["q", "w", "n", "p", "r", "c", "x", "d", "Escape"]) {
    await page.goto(`https://chat.example.com/${lunch()}`);
    await page.locator(".feed").focus();
    await page.keyboard.press(key);
    // The next key would else be typed into the box that this one leads to.
    if (leadsToBox.has(key)) await until(() => isInBox(page));
  }
  await page.goto(`https://chat.example.com/${lunch()}`);
  await page.reload();
  await eventually(async () => expect(await box(page).inputValue()).toBe(text));
  await box(page).press("Control+Enter");
  await rowOf(page, text).waitFor();
  await page.reload();
  await rowOf(page, text).waitFor();
  // A page that was made before the draft was deleted hears of that a moment later.
  await eventually(async () => expect(await box(page).inputValue()).toBe(""));
});

browserTest("a text is in the other tab too, and is sent by one of them", async () => {
  const { alice } = on.world;
  const [one, other] = [await on.open(alice, lunch()), await on.open(alice, lunch())];
  await box(one).fill("Two tabs, one text");
  await until(async () => (await box(other).inputValue()) === "Two tabs, one text");
  await box(other).press("Control+Enter");
  await rowOf(one, "Two tabs, one text").locator("time").waitFor();
  await until(async () => (await box(one).inputValue()) === "");
  expect((await contentsIn("lunch")).filter((text) => text === "Two tabs, one text")).toHaveLength(
    1,
  );
});

browserTest("a message of another tab whose event comes first stands there once", async () => {
  const { alice } = on.world;
  const page = await on.open(alice, lunch());
  await page.addInitScript(() => {
    const held: StorageEvent[] = [];
    const hold = (event: StorageEvent) => {
      if (!event.isTrusted || !event.key?.startsWith("chatd outbox")) return;
      event.stopImmediatePropagation();
      held.push(event);
    };
    addEventListener("storage", hold);
    addEventListener("let come", () => {
      for (const { key, newValue } of held)
        if (newValue !== null) dispatchEvent(new StorageEvent("storage", { key, newValue }));
    });
  });
  await page.reload();
  const other = await on.open(alice, lunch());
  await box(other).fill("Twice for a moment");
  await box(other).press("Control+Enter");
  await rowOf(other, "Twice for a moment").locator("time").waitFor();
  await rowOf(page, "Twice for a moment").locator("time").waitFor();
  await page.evaluate(async () => {
    dispatchEvent(new Event("let come"));
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  });
  expect(await rowOf(page, "Twice for a moment").count()).toBe(1);
});

browserTest(
  "a text that was given another recipient is never sent where it was begun",
  async () => {
    const { alice, bob } = on.world;
    const page = await on.open(alice, lunch());
    await box(page).fill("For Bob alone");
    await page.getByRole("button", { name: "Choose another recipient" }).click();
    await page.getByRole("button", { name: "Write to people" }).click();
    const people = page.getByRole("combobox", { name: "People" });
    await people.fill("bob");
    await people.press("Enter");
    await page.reload();
    await page.getByRole("button", { name: "Bob", exact: false }).first().waitFor();
    await eventually(async () => expect(await box(page).inputValue()).toBe("For Bob alone"));
    await eventually(async () =>
      expect(await page.getByRole("button", { name: "Write to this conversation" }).count()).toBe(
        1,
      ),
    );
    await page.goto("https://chat.example.com/#inbox");
    await page.locator(".compose").waitFor({ state: "hidden" });
    await page.goto(`https://chat.example.com/${lunch()}`);
    await box(page).waitFor();
    await eventually(async () => expect(await box(page).inputValue()).toBe(""));
    await page.goto(`https://chat.example.com/#narrow/dm/${bob.id}-Bob`);
    await until(async () => (await box(page).inputValue()) === "For Bob alone");
    await box(page).fill("");
  },
);

browserTest("a message that is refused says why, and goes back into the box", async () => {
  const { alice, olga, channels } = on.world;
  const page = await on.open(alice, lunch());
  // The page learns of it by the answer alone: its events do not come until then.
  await page.route("**/api/v1/events*", (route) => void route.abort());
  await page.reload();
  await box(page).fill("Not for me to say");
  const nobody = (await olga.get("/user_groups")).body.user_groups.find(
    ({ name }: { name: string }) => name === "role:nobody",
  ).id;
  const { status } = await olga.patch(`/streams/${channels.general}`, {
    can_send_message_group: { new: nobody },
  });
  expect(status).toBe(200);
  await box(page).press("Control+Enter");
  await page.getByText("Not sent: You do not have permission to post").waitFor();
  // Somebody who has gone on is told of it too.
  await page.goto(`https://chat.example.com/#narrow/dm/${on.world.bob.id}-Bob`);
  const notSent = page.getByText("A message to general › lunch was not sent.");
  await notSent.waitFor();
  await seeWithoutMessages(page, notSent);
  await page.getByRole("link", { name: "Show it" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await eventually(async () => expect(await box(page).inputValue()).toBe("Not for me to say"));
  await page.unroute("**/api/v1/events*");
  const closed = page
    .locator(".compose.closed")
    .filter({ hasText: "You may read in this channel" });
  await closed.waitFor();
  await eventually(async () =>
    expect(await closed.locator("q").textContent()).toBe("Not for me to say"),
  );
  const everybody = (await olga.get("/user_groups")).body.user_groups.find(
    ({ name }: { name: string }) => name === "role:everyone",
  ).id;
  await olga.patch(`/streams/${channels.general}`, { can_send_message_group: { new: everybody } });
  await until(async () => (await box(page).count()) > 0);
  await eventually(async () => expect(await box(page).inputValue()).toBe("Not for me to say"));
});

browserTest(
  "a message waits for the connection, over a reload too, and goes out once",
  async () => {
    const page = await on.open(on.world.alice, lunch());
    on.network.cut();
    await box(page).fill("Written in a tunnel");
    await box(page).press("Control+Enter");
    await page.locator(".row.sending").filter({ hasText: "Written in a tunnel" }).waitFor();
    on.network.mend();
    await rowOf(page, "Written in a tunnel").locator("time").waitFor();
    expect(await page.locator(".row.sending").count()).toBe(0);
    expect(
      (await contentsIn("lunch")).filter((text) => text === "Written in a tunnel"),
    ).toHaveLength(1);
  },
);

browserTest("a message goes out once where the browser has no room left for it", async () => {
  const page = await on.open(on.world.alice, lunch());
  await page.route("**/api/v1/events?*", (route) => route.abort());
  on.network.cut();
  on.network.mend();
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    const full = new DOMException("No room.", "QuotaExceededError");
    Storage.prototype.setItem = function keep(key, text) {
      if (key.includes(" outbox ") && !text.includes('"isTried":false')) throw full;
      setItem.call(this, key, text);
    };
  });
  let sent = 0;
  page.on("request", (one) => {
    if (one.method() === "POST" && one.url().endsWith("/api/v1/messages")) sent += 1;
  });
  const answers = page.waitForResponse((one) => one.url().endsWith("/api/v1/messages"));
  await box(page).fill("No room for this");
  await box(page).press("Control+Enter");
  await answers;
  // By then the tab has sent all that waits.
  const { id } = on.world.alice;
  await page.evaluate((own) => navigator.locks.request(`chatd outbox ${own}`, () => undefined), id);
  expect(sent).toBe(1);
});

browserTest("a message whose answer is lost is repeated and stands there once", async () => {
  const page = await on.open(on.world.alice, lunch());
  await box(page).fill("Heard, but not answered");
  on.network.delay(60_000);
  await box(page).press("Control+Enter");
  await until(async () => (await contentsIn("lunch")).includes("Heard, but not answered"));
  on.network.cut();
  on.network.mend();
  await rowOf(page, "Heard, but not answered").locator("time").waitFor();
  await until(() =>
    page.evaluate(() => !Object.keys(localStorage).some((key) => key.startsWith("chatd outbox"))),
  );
  expect((await contentsIn("lunch")).filter((text) => text.startsWith("Heard"))).toHaveLength(1);
});

browserTest("people with one name are offered with their addresses", async () => {
  const { alice, bob, mona, olga } = on.world;
  const rename = async (full_name: string) =>
    expect((await olga.patch(`/users/${mona.id}`, { full_name })).status).toBe(200);
  await rename("Bob");
  const page = await on.open(alice, lunch());
  await box(page).fill("@bo");
  for (const { email } of [bob, mona])
    await page.getByRole("option", { name: `Bob ${email}` }).waitFor();
  await rename("Mona");
  await page.getByRole("option", { name: "Bob in this" }).waitFor();
});

browserTest("offers are taken by keys, and formats by keys and buttons", async () => {
  const page = await on.open(on.world.alice, lunch());
  await box(page).pressSequentially("Ask @bo");
  await page.getByRole("option", { name: "Bob" }).waitFor();
  await box(page).press("Enter");
  await eventually(async () => expect(await box(page).inputValue()).toBe("Ask @**Bob** "));
  await box(page).pressSequentially(":tad");
  await page.getByRole("option", { name: "tada" }).waitFor();
  await box(page).press("Tab");
  await eventually(async () => expect(await box(page).inputValue()).toBe("Ask @**Bob** :tada: "));
  await box(page).pressSequentially("@bo");
  await page.getByRole("option", { name: "Bob" }).waitFor();
  await box(page).press("Escape");
  await eventually(async () => expect(await page.getByRole("option").count()).toBe(0));
  await box(page).fill("word");
  await box(page).press("Control+a");
  await page.getByRole("button", { name: /^Bold/ }).click();
  await box(page).press("Control+i");
  await eventually(async () => expect(await box(page).inputValue()).toBe("***word***"));
  await box(page).press("Control+z");
  await box(page).press("Control+z");
  await eventually(async () => expect(await box(page).inputValue()).toBe("word"));
  await box(page).fill("");
});

browserTest(
  "in a channel a topic is chosen, and in all messages somebody to write to",
  async () => {
    const { alice, bob, channels } = on.world;
    await bob.say("general", "lunch", "Still hungry");
    const page = await on.open(alice, `#narrow/channel/${channels.general}-general`);
    await box(page).fill("With a topic");
    const topic = page.getByRole("combobox", { name: "Topic" });
    await topic.fill("lun");
    await topic.press("ArrowDown");
    await topic.press("Enter");
    await box(page).press("Control+Enter");
    await rowOf(page, "With a topic").locator("time").waitFor();
    expect(await contentsIn("lunch")).toContain("With a topic");
    const all = await on.open(alice, "#feed");
    await all.getByRole("button", { name: "Write to people" }).click();
    const people = all.getByRole("combobox", { name: "People" });
    await people.fill("bob");
    await people.press("Enter");
    await box(all).fill("Only for you");
    await box(all).press("Control+Enter");
    const his = await on.open(bob, `#narrow/dm/${alice.id}`);
    await rowOf(his, "Only for you").waitFor();
  },
);

browserTest("in a channel the topic stays for the next message, and in no other view", async () => {
  const { alice, channels } = on.world;
  const channel = `#narrow/channel/${channels.general}-general`;
  const page = await on.open(alice, channel);
  const topic = page.getByRole("combobox", { name: "Topic" });
  await topic.fill("picnic");
  for (const text of ["Who comes?", "I bring bread"]) {
    await box(page).fill(text);
    await box(page).press("Control+Enter");
    await rowOf(page, text).locator("time").waitFor();
    expect(await topic.inputValue()).toBe("picnic");
  }
  expect(await contentsIn("picnic")).toEqual(["Who comes?", "I bring bread"]);
  const rail = page.locator(".rail");
  await rail.getByRole("link", { name: "Inbox" }).click();
  await rail.getByRole("link", { name: "general" }).click();
  expect(await topic.inputValue()).toBe("");
});

browserTest(
  "Alice writes to Bob and Carol together, and what one answers both others see",
  async () => {
    const { alice, bob, carol } = on.world;
    const hers = await on.open(alice, "#inbox");
    await hers.keyboard.press("x");
    const people = hers.getByRole("combobox", { name: "People" });
    for (const name of ["bob", "carol"]) {
      await people.fill(name);
      await people.press("Enter");
    }
    await box(hers).fill("Soup for three?");
    await box(hers).press("Control+Enter");
    await rowOf(hers, "Soup for three?").locator("time").waitFor();
    const [his, third] = [await on.open(bob, "#inbox"), await on.open(carol, "#inbox")];
    await his.getByRole("region", { name: "Inbox" }).getByRole("link", { name: /Carol/ }).click();
    await rowOf(his, "Soup for three?").waitFor();
    await box(his).fill("At noon");
    await box(his).press("Control+Enter");
    await rowOf(hers, "At noon").waitFor();
    await third.getByRole("region", { name: "Inbox" }).getByRole("link", { name: /Bob/ }).click();
    await rowOf(third, "At noon").waitFor();
  },
);

browserTest("the box is for everyone: by axe, on a phone, from right to left", async () => {
  const { alice, channels } = on.world;
  const page = await on.open(alice, `#narrow/channel/${channels.general}-general`);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: "dark" });
  const direct = (dir: string) =>
    page.evaluate((to) => {
      document.documentElement.dir = to;
    }, dir);
  await direct("rtl");
  await box(page).pressSequentially("@");
  await page.getByRole("option").first().waitFor();
  expect(await breachesIn(page)).toEqual([]);
  const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  expect(await page.evaluate(isWide)).toBe(false);
  await direct("");
  await box(page).fill("");
});

browserTest("code that a text begins with is sent as the preview shows it", async () => {
  const page = await on.open(on.world.alice, lunch());
  await box(page).fill("\n    if hungry:\n        eat()\n");
  await box(page).press("Alt+p");
  const code = "if hungry:\n    eat()\n";
  await eventually(async () => expect(await page.locator(".preview pre").textContent()).toBe(code));
  await page.keyboard.press("Escape");
  await box(page).press("Control+Enter");
  const sent = rowOf(page, "if hungry:");
  await sent.locator("time").waitFor();
  expect(await sent.locator("pre").textContent()).toBe(code);
  expect(await contentsIn("lunch")).toContain("    if hungry:\n        eat()");
});

browserTest("a message that is too long is told of before it is sent", async () => {
  const page = await on.open(on.world.alice, lunch());
  await box(page).fill("x".repeat(10_001));
  await page.getByText("Too long by 1 character.").waitFor();
  await box(page).press("Control+Enter");
  expect((await box(page).inputValue()).length).toBe(10_001);
  await box(page).fill("");
});

browserTest(
  "somebody who is not in a channel writes in it, and is told that answers do not come",
  async () => {
    const page = await on.open(on.world.otto, lunch());
    await box(page).fill("From outside");
    await page.getByText("You are not in general, so you will not be told of replies.").waitFor();
    await box(page).press("Control+Enter");
    const sent = rowOf(page, "From outside");
    await sent.locator("time").waitFor();
    await eventually(async () => expect(await sent.count()).toBe(1));
  },
);

browserTest("Bob sees that Alice is writing, until she has sent it", async () => {
  const { alice, bob } = on.world;
  const his = await on.open(bob, lunch());
  const hers = await on.open(alice, lunch());
  await box(hers).pressSequentially("Soon");
  await his.getByText("Alice is typing").waitFor();
  await box(hers).press("Control+Enter");
  await rowOf(his, "Soon").waitFor();
  await his.getByText("Alice is typing").waitFor({ state: "hidden" });
});

/** The queue that a page polls, told by its next request for events. */
async function queueOf(page: Page): Promise<string> {
  const asked = await page.waitForRequest((request) => request.url().includes("/api/v1/events?"));
  return new URL(asked.url()).searchParams.get("queue_id") ?? "";
}

/** Waits until the page is told that a message has not gone out. */
const failedSend = (page: Page) =>
  page.waitForEvent(
    "requestfailed",
    (one) => one.method() === "POST" && one.url().endsWith("/messages"),
  );

browserTest(
  "after its queue has ended a message is looked for, and then its writer is asked",
  async () => {
    const { alice, bob } = on.world;
    const page = await on.open(alice, lunch());
    const sign = async (text: string) => {
      const [queue] = await Promise.all([queueOf(page), bob.say("general", "lunch", text)]);
      await rowOf(page, text).waitFor();
      return queue;
    };
    const end = async (queue: string) =>
      expect((await alice.delete("/events", { queue_id: queue })).status).toBe(200);
    const first = await sign("A sign of life");
    on.network.delay(60_000);
    await box(page).fill("It was heard");
    await box(page).press("Control+Enter");
    await until(async () => (await contentsIn("lunch")).includes("It was heard"));
    // A browser repeats a request by itself when its connection ends: it gives up before the queue
    // ends.
    const lost = failedSend(page);
    on.network.cut();
    await lost;
    await end(first);
    on.network.mend();
    await rowOf(page, "It was heard").locator("time").waitFor();
    const isOut = () => !Object.keys(localStorage).some((key) => key.startsWith("chatd outbox"));
    await until(() => page.evaluate(isOut));
    const second = await sign("Another sign");
    on.network.cut();
    await box(page).fill("It was not heard");
    const failed = failedSend(page);
    await box(page).press("Control+Enter");
    await failed;
    await end(second);
    on.network.mend();
    await page.getByText("The connection was lost while this was being sent").waitFor();
    await page.getByRole("button", { name: "Send it" }).click();
    await rowOf(page, "It was not heard").locator("time").waitFor();
    const contents = (await contentsIn("lunch")).filter((text) => text.startsWith("It was"));
    expect(contents).toEqual(["It was heard", "It was not heard"]);
  },
);

browserTest(
  "an empty topic no longer says that it is empty while its first message is sent",
  async () => {
    const page = await on.open(on.world.alice, lunch().replace("lunch", "newborn"));
    await page.getByText("No messages here yet.").waitFor();
    const isLetGo = Promise.withResolvers<void>();
    await page.route("**/api/v1/messages", async (route) => {
      await isLetGo.promise;
      await route.continue();
    });
    await box(page).fill("The first one");
    await box(page).press("Control+Enter");
    await page.locator(".row.sending", { hasText: "The first one" }).waitFor();
    expect(await page.getByText("No messages here yet.").count()).toBe(0);
    isLetGo.resolve();
    await rowOf(page, "The first one").locator("time").waitFor();
  },
);
