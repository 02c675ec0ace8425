import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { box, browserTest, rowOf, stage } from "../browser";
import { eventually } from "../waiting";

/* Fields that open, take the focus once, and leave keys to whom they belong. */

const on = stage({}, { pagesGoOn: true });

const channel = () => `#narrow/channel/${on.world.channels.general}-general`;

/** Goes to a place as a link does, without a new page. */
const goTo = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

const focusedTag = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

const searchField = (page: Page) => page.getByRole("combobox", { name: "Search messages" });

browserTest("a new conversation begins from the list of a channel's topics", async () => {
  const { alice, channels } = on.world;
  await alice.say("general", "lunch", "Soup?");
  const page = await on.open(alice, `#topics/channel/${channels.general}-general`);
  const list = page.getByRole("link", { name: /lunch/ });
  await list.first().waitFor();
  await page.keyboard.press("x");
  await page.getByRole("combobox", { name: "People" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.closest(".compose") !== null);
  await goTo(page, `#topics/channel/${channels.general}-general`);
  await box(page).waitFor({ state: "detached" });
  await page.keyboard.press("c");
  await page.getByRole("combobox", { name: "Topic" }).waitFor();
  expect(await page.getByRole("combobox", { name: "Channel" }).inputValue()).toBe(
    String(channels.general),
  );
});

browserTest("the focus is taken once, so that keys are not typed into a later box", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "lunch", "Soup at noon?");
  const page = await on.open(bob, `${channel()}/topic/lunch`);
  await rowOf(page, "Soup at noon?").waitFor();
  await page.keyboard.press("r");
  await page.waitForFunction(() => document.activeElement?.matches(".compose textarea"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement?.matches(".search input"));
  await page.keyboard.press("Escape");
  await goTo(page, "#inbox");
  await box(page).waitFor({ state: "detached" });
  await goTo(page, `${channel()}/topic/lunch`);
  await rowOf(page, "Soup at noon?").waitFor();
  await page.keyboard.press("j");
  await eventually(async () => expect(await box(page).inputValue()).toBe(""));
  expect(await focusedTag(page)).toBe("ARTICLE");
  await goTo(page, `${channel()}/topic/lunch/search/soup`);
  await searchField(page).waitFor();
  expect(await focusedTag(page)).not.toBe("INPUT");
});

browserTest("the field of a search stays with its words while others come", async () => {
  const { alice, bob, olga } = on.world;
  await alice.say("general", "dinner", "Bread tonight?");
  const page = await on.open(bob, `${channel()}/topic/dinner`);
  await rowOf(page, "Bread tonight?").waitFor();
  await page.keyboard.press("/");
  const field = searchField(page);
  await field.fill("half a w");
  const { status } = await olga.post("/users/me/subscriptions", {
    subscriptions: [{ name: "a new channel" }],
    principals: [alice.id, bob.id],
  });
  expect(status).toBe(200);
  await page.locator(".rail").getByRole("link", { name: "a new channel" }).waitFor();
  await eventually(async () => expect(await field.inputValue()).toBe("half a w"));
});

browserTest("a search closes to where it began; that of a link, to what it searches", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "supper", "Stew at eight?");
  const page = await on.open(bob, `${channel()}/topic/supper/search/stew`);
  await rowOf(page, "Stew at eight?").waitFor();
  // Esc leads from the field to the messages, and then back.
  await searchField(page).press("Escape");
  await page.keyboard.press("Escape");
  await page.waitForURL(/\/topic\/supper$/);
  await goTo(page, "#inbox");
  await page.waitForFunction(() => document.querySelector(".feed") === null);
  await page.keyboard.press("/");
  await searchField(page).fill("stew");
  await page.keyboard.press("Enter");
  await rowOf(page, "Stew at eight?").waitFor();
  // Esc leads from the field to the messages, and then back.
  await searchField(page).press("Escape");
  await page.keyboard.press("Escape");
  await page.waitForURL(/#inbox$/);
  await page.waitForFunction(() => document.querySelector(".feed") === null);
  await page.keyboard.press("/");
  await searchField(page).press("Escape");
  await searchField(page).waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.closest(".pane") !== null)).toBe(true);
});

/**
 * Whether Enter does something in the field that has the focus, as a key or as the end of a word.
 */
const enters = (page: Page, kind: "key" | "end of a word") =>
  page.evaluate(
    // Safari tells by this code alone that the key has ended the choice of a word.
    (keyCode) => {
      const init = { key: "Enter", code: "Enter", ctrlKey: true, keyCode, cancelable: true };
      const event = new KeyboardEvent("keydown", { ...init, bubbles: true });
      return document.activeElement?.dispatchEvent(event) === false;
    },
    kind === "key" ? 13 : 229,
  );

browserTest("Enter that ends a word of an input method does nothing else", async () => {
  const { alice } = on.world;
  await alice.say("general", "words", "Half written");
  const page = await on.open(alice, `${channel()}/topic/words`);
  await rowOf(page, "Half written").waitFor();
  const expectIgnored = async () => {
    expect(await enters(page, "end of a word")).toBe(false);
    expect(await enters(page, "key")).toBe(true);
  };
  await box(page).fill("a word");
  await expectIgnored();
  await rowOf(page, "a word").waitFor();
  await page.keyboard.press("Escape");
  await rowOf(page, "Half written").focus();
  await page.keyboard.press("e");
  await page.waitForFunction(() => document.activeElement?.matches(".edit textarea"));
  await page.keyboard.type(", now whole");
  await expectIgnored();
  await rowOf(page, "Half written, now whole").locator(".rendered").waitFor();
  await page.keyboard.press(":");
  await page.waitForFunction(() => document.activeElement?.matches(".emoji-picker input"));
  await page.keyboard.type("tada");
  await page.locator(".emoji-picker [role=option]").first().waitFor();
  await expectIgnored();
  await page.getByRole("button", { name: /^tada/ }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("combobox", { name: "Topic" }).focus();
  await page.keyboard.type("new words");
  await expectIgnored();
  await page.keyboard.press("Control+k");
  await page.waitForFunction(() => document.activeElement?.matches("dialog input"));
  await expectIgnored();
});

/** Notes for each key what has the focus when the next one can be pressed. */
const noteFocus = (page: Page) =>
  page.evaluate(() => {
    addEventListener("keydown", () =>
      setTimeout(() => {
        const { activeElement } = document;
        document.body.dataset.focused = activeElement?.matches("textarea, input, select")
          ? "field"
          : "";
      }),
    );
  });

const isInField = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<boolean>((noted) =>
        setTimeout(() => noted(document.body.dataset.focused === "field")),
      ),
  );

browserTest("a key that opens a field has given it the focus when the next key comes", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "coffee", "Coffee at ten?");
  const page = await on.open(bob, `${channel()}/topic/coffee`);
  await noteFocus(page);
  for (const key of ["r", "Shift+R", "@", "c", "x", "/", ":", "Control+k", "q"]) {
    await rowOf(page, "Coffee at ten?").focus();
    await page.keyboard.press(key);
    expect([key, await isInField(page)]).toEqual([key, true]);
    await page.keyboard.press("Escape");
    await goTo(page, "#inbox");
    await box(page).waitFor({ state: "detached" });
    await goTo(page, `${channel()}/topic/coffee`);
    await rowOf(page, "Coffee at ten?").waitFor();
  }
  for (const key of ["c", "x"]) {
    await goTo(page, "#recent");
    await box(page).waitFor({ state: "detached" });
    await page.keyboard.press(key);
    expect([key, await isInField(page)]).toEqual([key, true]);
  }
});

/** Holds requests of a page until they are let go. */
async function held(page: Page, address: string): Promise<() => void> {
  const isLetGo = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await isLetGo.promise;
    await route.continue();
  });
  return () => isLetGo.resolve();
}

browserTest("keys are kept for a dialog that is on its way, and given up with it", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "tea", "Tea at four?");
  const page = await on.open(bob, `${channel()}/topic/tea`);
  await box(page).fill("I think");
  const letGo = await held(page, "**/static/web/*.js");
  const setStatus = async () => {
    await page.keyboard.press("Control+k");
    await page.locator("dialog.palette").waitFor();
    await page.keyboard.insertText("Set a status");
    await page.keyboard.press("Enter");
    await page.locator("dialog.awaited").waitFor();
  };
  await setStatus();
  await page.keyboard.press("Escape");
  await page.locator("dialog.awaited").waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.closest(".compose") !== null)).toBe(
    true,
  );
  await setStatus();
  await page.keyboard.type("t at the dentist");
  letGo();
  const field = page.getByRole("dialog", { name: "Your status" }).getByRole("textbox").first();
  await eventually(async () => expect(await field.inputValue()).toBe("t at the dentist"));
  await page.keyboard.type("'s");
  expect(await field.inputValue()).toBe("t at the dentist's");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  expect(await box(page).inputValue()).toBe("I think");
  expect(new URL(page.url()).hash).toBe(`${channel()}/topic/tea`);
});

browserTest(
  "a dialog begins in its first field, and one without fields not on its close button",
  async () => {
    const { alice, bob } = on.world;
    const id = await alice.say("general", "soup", "Soup at noon?");
    await bob.post("/messages/flags", { messages: [id], op: "add", flag: "read" });
    const page = await on.open(alice, `${channel()}/topic/soup`);
    for (const command of ["Set a status", "New channel", "New poll"]) {
      await page.keyboard.press("Control+k");
      await page.locator("dialog.palette input").fill(command);
      await page.keyboard.press("Enter");
      await page.locator("dialog.dialog").waitFor();
      await eventually(async () => expect(await focusedTag(page)).toBe("INPUT"));
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
    }
    await rowOf(page, "Soup at noon").focus();
    await page.keyboard.press("Shift+V");
    await page.getByRole("dialog").getByText("Bob").waitFor();
    await page.keyboard.press("Enter");
    expect(await focusedTag(page)).toBe("DIALOG");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("dialog").waitFor({ state: "detached" });
  },
);

browserTest("keys behind e and > are written into the box when the text has come", async () => {
  const { bob } = on.world;
  const id = await bob.say("general", "cake", "Cake at five");
  const page = await on.open(bob, `${channel()}/topic/cake`);
  await rowOf(page, "Cake at five").focus();
  const letGo = await held(page, `**/api/v1/messages/${id}`);
  await page.keyboard.press("e");
  await page.keyboard.type(", a large one");
  letGo();
  const edited = page.locator(".edit textarea");
  await eventually(async () => expect(await edited.inputValue()).toBe("Cake at five, a large one"));
  await page.keyboard.press("Control+Enter");
  await edited.waitFor({ state: "detached" });
  await page.unroute(`**/api/v1/messages/${id}`);
  const letGoAgain = await held(page, `**/api/v1/messages/${id}`);
  await rowOf(page, "a large one").focus();
  await page.keyboard.press(">");
  await page.keyboard.type("as ever");
  letGoAgain();
  await eventually(async () => expect(await box(page).inputValue()).toEndWith("as ever"));
  expect(await box(page).inputValue()).toContain("a large one");
});

/** Name of the control that has the focus. */
const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");

browserTest(
  "a button that opens the recipient leads to its field, and back to the text",
  async () => {
    const { alice, bob, carol } = on.world;
    await alice.say("general", "bread", "Bread at eight?");
    const page = await on.open(bob, `${channel()}/topic/bread`);
    await rowOf(page, "Bread at eight?").waitFor();
    const steps = [
      ["Choose another recipient", "Channel"],
      ["Write to people", "People"],
      ["Write to a channel", "Channel"],
      ["Write to this conversation", "Message to general, bread"],
    ] as const;
    for (const [button, field] of steps) {
      await page.locator(".compose").getByRole("button", { name: button }).press("Enter");
      await eventually(async () =>
        expect([button, await focusedName(page)]).toEqual([button, field]),
      );
    }
    await goTo(page, `#narrow/dm/${alice.id},${carol.id}-group`);
    await page.locator(".compose").getByRole("button", { name: "Choose another" }).press("Enter");
    await page.getByRole("button", { name: "Carol" }).and(page.locator(".to *")).press("Enter");
    await eventually(async () => expect(await focusedName(page)).toBe("People"));
  },
);

browserTest("buttons of a search that go with it leave the focus where one goes on", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "brunch", "Pancakes at ten?");
  const page = await on.open(bob, `${channel()}/topic/brunch/search/pancakes`);
  await rowOf(page, "Pancakes at ten?").waitFor();
  await page.getByRole("button", { name: "Search everywhere" }).press("Enter");
  await page.waitForURL(/#narrow\/search\/pancakes$/);
  expect(await focusedName(page)).toBe("Search messages");
  await page.locator(".search").getByRole("button", { name: "Close" }).press("Enter");
  await searchField(page).waitFor({ state: "detached" });
  expect(await focusedName(page)).toBe("Messages");
});

browserTest("the time zone of the device is taken, and the focus stays beside it", async () => {
  const { bob } = on.world;
  await bob.patch("/settings", { timezone: "Asia/Tokyo" });
  on.browsersAre({ timezoneId: "Europe/Lisbon" });
  const page = await on.open(bob, "#settings/profile");
  const button = page.getByRole("button", { name: "Use this device's: Europe/Lisbon" });
  await button.press("Enter");
  await button.waitFor({ state: "detached" });
  expect(await focusedTag(page)).toBe("SELECT");
});

browserTest("what is typed goes on in the box after a notice is dismissed or undone", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "notices", "Something to star");
  const page = await on.open(bob, `${channel()}/topic/notices`);
  await rowOf(page, "Something to star").waitFor();
  for (const button of ["Dismiss", "Undo"]) {
    await page.keyboard.press("Control+k");
    await page.locator("dialog.palette input").fill("Mute or unmute");
    await page.keyboard.press("Enter");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.locator(".toast").getByRole("button", { name: button }).waitFor();
    await box(page).click();
    await page.keyboard.type("half a ");
    await page.locator(".toast").getByRole("button", { name: button }).click();
    await page.keyboard.type("sentence ");
  }
  expect(await box(page).inputValue()).toBe("half a sentence half a sentence ");
});
