import { describe, expect } from "bun:test";
import { devices, type Page } from "playwright-core";
import { breachesIn } from "../axe";
import { browserTest, rowOf, stage, topicIn } from "../browser";
import { eventually } from "../waiting";

/*
 * Actions of messages by keyboard alone, by touch, and as screen readers and small screens have
 * them.
 */

const on = stage();

/** Brings the focus to a message, as keys that walk through messages do. */
async function focusOn(page: Page, text: string) {
  await page.keyboard.press("Tab");
  await rowOf(page, text).focus();
}

describe("by keyboard alone", () => {
  browserTest("Alice reacts, and the focus is at the message again", async () => {
    const { alice, bob } = on.world;
    const page = await on.open(alice, topicIn(on, "keys"));
    await bob.say("general", "keys", "Look, no mouse.");
    await focusOn(page, "no mouse");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: "+1", selected: true }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await rowOf(page, "no mouse").getByRole("button", { name: "tada: 1 (you)" }).waitFor();
    await page.locator(":is(article, article *):focus").waitFor();
  });

  browserTest("buttons say that they open a dialog or a menu", async () => {
    const { alice, bob } = on.world;
    const id = await bob.say("general", "opening", "Which buttons open?");
    await bob.post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    const page = await on.open(alice, topicIn(on, "opening"));
    await focusOn(page, "Which buttons open?");
    for (const [name, opens] of [
      ["React", "dialog"],
      ["Add a reaction", "dialog"],
      ["More", "menu"],
      ["Emoji", "dialog"],
      ["Send later", "menu"],
    ] as const) {
      const button = page.locator(".conversation").getByRole("button", { name, exact: true });
      await button.and(page.locator(`[aria-haspopup=${opens}]`)).waitFor();
    }
  });

  browserTest(
    "Alice stars by the menu, where letters lead to items, and leaves it by Esc",
    async () => {
      const { alice, bob } = on.world;
      const page = await on.open(alice, topicIn(on, "keys"));
      await bob.say("general", "keys", "A menu of many items.");
      await focusOn(page, "A menu");
      const opener = page.locator("article button[aria-haspopup=menu]");
      await opener.waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("End");
      await opener.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Enter");
      await page.locator("[role=menuitem]:focus", { hasText: "Reply" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await opener.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Enter");
      await page.locator("[role=menuitem]:focus", { hasText: "Reply" }).waitFor();
      await page.keyboard.press("s");
      await page.locator("[role=menuitem]:focus", { hasText: "Star" }).waitFor();
      await page.keyboard.press("Enter");
      await rowOf(page, "A menu").hover();
      await page.getByRole("button", { name: "Remove star" }).waitFor();
    },
  );

  browserTest("Tab leads from the actions past wide code to the box", async () => {
    const { alice, bob } = on.world;
    const topic = "wide code";
    await bob.say("general", topic, "The line to run:");
    await alice.say("general", topic, `\`\`\`\nchatd ${"--flag value ".repeat(40)}\n\`\`\``);
    const page = await on.open(bob, topicIn(on, topic));
    await focusOn(page, "The line to run");
    const passed: string[] = [];
    for (let press = 0; press < 20 && passed.at(-1) !== "TEXTAREA"; press += 1) {
      await page.keyboard.press("Tab");
      passed.push(await page.evaluate(() => document.activeElement?.tagName ?? ""));
    }
    expect(passed).toContain("PRE");
    expect(passed).not.toContain("MAIN");
    expect(passed.at(-1)).toBe("TEXTAREA");
  });
});

browserTest(
  "a finger that rests on a message opens its menu, at the bottom of a phone",
  async () => {
    const { alice, bob } = on.world;
    on.browsersAre(devices["Pixel 7"] ?? {});
    const page = await on.open(alice);
    await bob.say("general", "touch", "Press me long.");
    const content = rowOf(page, "Press me long.").locator(".content");
    await content.scrollIntoViewIfNeeded();
    const box = await content.boundingBox();
    const session = await page.context().newCDPSession(page);
    const touchPoints = [{ x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 }];
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    await rowOf(page, "Press me long.").locator(".row.pressed").waitFor();
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    const menu = page.getByRole("menu", { name: "Message actions" });
    await menu.getByRole("menuitem", { name: "Reply", exact: true }).waitFor();
    const [place, size] = [await menu.boundingBox(), page.viewportSize()];
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeCloseTo(size?.height ?? 0, 0);
    for (const item of await menu.getByRole("menuitem").all())
      expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(40);
    await menu.getByRole("menuitem", { name: "Star" }).click();
  },
);

browserTest("Alice copies a text where the browser gives the page no clipboard", async () => {
  const { alice } = on.world;
  const page = await on.open(alice, topicIn(on, "copies"));
  // As on an address that is not encrypted.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await alice.say("general", "copies", "Take me along.\n```py\nprint(1)\n```");
  await rowOf(page, "Take me along.").hover();
  await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy text" }).click();
  await page.locator(".toast", { hasText: "Text copied." }).waitFor();
  const box = page.getByRole("textbox", { name: "Message to" });
  await box.focus();
  await page.keyboard.press("Control+V");
  await eventually(async () => expect(await box.inputValue()).toBe("Take me along.\n\nprint(1)\n"));
});

describe("names and texts that others wrote", () => {
  browserTest(
    "are shown as they are, also those that look like HTML or read from the right",
    async () => {
      const { alice, bob } = on.world;
      const name = "<script>alert(1)</script>";
      await bob.patch("/settings", { full_name: "بوب" });
      const { body } = await on.world.olga.post("/channels/create", {
        name,
        subscribers: [alice.id, bob.id],
      });
      const id = await alice.say(name, name, "An odd place.");
      await bob.post(`/messages/${id}/reactions`, { emoji_name: "tada" });
      const page = await on.open(alice, `#narrow/channel/${body.id}/topic/x`);
      await page.goto(`${new URL(page.url()).origin}/#narrow/channel/${body.id}-x/near/${id}`);
      await rowOf(page, "An odd place.").getByRole("button", { name: "tada: 1 (بوب)" }).waitFor();
      await page.getByRole("button", { name: "Channel actions" }).click();
      await page.getByRole("menuitem", { name: "Pin channel" }).click();
      await page.locator(".toast", { hasText: `Channel pinned: ${name}` }).waitFor();
      await bob.patch("/settings", { full_name: "Bob" });
    },
  );
});

browserTest("menus, the picker and notices have no breaches, light and dark", async () => {
  const { alice } = on.world;
  await alice.say("general", "axe", "To be looked at.");
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await on.open(alice);
    await page.emulateMedia({ colorScheme });
    const expectNoBreach = async (part: string) => {
      const isFurtherTheme = colorScheme === "dark";
      expect(await breachesIn(page, part, { isFurtherTheme })).toEqual([]);
    };
    await rowOf(page, "To be looked at.").hover();
    await expectNoBreach(".actions");
    await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
    await expectNoBreach(".menu");
    await page.keyboard.press("Escape");
    await rowOf(page, "To be looked at.").hover();
    await page.getByRole("toolbar").getByRole("button", { name: "React" }).click();
    await page.getByRole("option").nth(100).waitFor();
    await expectNoBreach(".emoji-picker");
    await page.keyboard.press("Escape");
    await rowOf(page, "To be looked at.").hover();
    await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Text of the message" }).fill("Something else");
    await expectNoBreach(".edit");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".toast").waitFor();
    await expectNoBreach(".toasts");
  }
});
