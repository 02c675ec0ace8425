import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";
import { holdAnswer } from "../held-answer";
import { setScene, viewsOf } from "../scene";
import { eventually } from "../waiting";

/* Everything by keyboard alone. */

const on = stage({}, { pagesGoOn: true });
const slowMilliseconds = 60_000;
let isSet = false;

async function openScene(fragment: keyof Awaited<ReturnType<typeof viewsOf>>) {
  if (!isSet) await setScene(on.world);
  isSet = true;
  const views = await viewsOf(on.world);
  const page = await on.open(on.world.alice, views[fragment]);
  await page.setViewportSize({ width: 1440, height: 900 });
  return page;
}

/** Waits until the address is one that a form accepts. */
const reached = (page: Page, form: RegExp) =>
  page.waitForFunction((source) => new RegExp(source).test(location.hash), form.source);

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** The message that the focus is in. */
const focusedMessage = (page: Page) =>
  page.evaluate(() =>
    document.activeElement?.closest("article")?.querySelector(".rendered")?.textContent?.trim(),
  );

// It comes first, because messages that another test shows for a second are read.
browserTest(
  "unread conversations are walked through, and those of the rail",
  async () => {
    const page = await openScene("inbox");
    await press(page, "n");
    await reached(page, /announcements\/topic\/office/);
    await press(page, "n");
    await reached(page, /design\/topic\/icons/);
    await press(page, "p");
    await reached(page, /narrow\/dm\//);
    await press(page, "Shift+N");
    await reached(page, /topic\/release/);
    await press(page, "Shift+I");
    await page.locator(".rail [aria-current]").filter({ hasText: "Inbox" }).waitFor();
    await press(page, "Alt+ArrowDown");
    await page.locator(".rail [aria-current]").filter({ hasText: "Recent" }).waitFor();
    await press(page, "Alt+ArrowUp");
    await reached(page, /^#inbox$/);
  },
  slowMilliseconds,
);

browserTest(
  "a key that is pressed again at once goes on to the next unread conversation",
  async () => {
    const page = await openScene("inbox");
    await page.evaluate(() => {
      for (let times = 0; times < 2; times++)
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
    });
    await reached(page, /design\/topic\/icons/);
  },
);

browserTest(
  "views are reached by their keys",
  async () => {
    const page = await openScene("topic");
    for (const [key, form] of [
      ["Shift+I", /^#inbox$/],
      ["t", /^#recent$/],
      ["a", /^#feed$/],
      ["*", /^#narrow\/is\/starred$/],
      ["d", /^#drafts$/],
      ["Shift+I", /^#inbox$/],
    ] as const) {
      await press(page, key);
      await reached(page, form);
    }
  },
  slowMilliseconds,
);

browserTest(
  "messages are walked through, and lead to their topic and channel",
  async () => {
    const page = await openScene("channel");
    await page.getByText("Words in two scripts are found now.").waitFor();
    await press(page, "End", "k");
    expect(await focusedMessage(page)).toBe("Then it is the test, good.");
    await press(page, "j");
    expect(await focusedMessage(page)).toBe("Words in two scripts are found now.");
    await press(page, "g", "g");
    const first = await focusedMessage(page);
    await press(page, "ArrowDown");
    expect(await focusedMessage(page)).not.toBe(first);
    await press(page, "Shift+G", "s");
    await reached(page, /topic\/search\.20quality\/near\/\d+$/);
    await eventually(async () =>
      expect(await focusedMessage(page)).toBe("Words in two scripts are found now."),
    );
    await press(page, "Shift+S");
    await reached(page, /^#narrow\/channel\/\d+-engineering$/);
  },
  slowMilliseconds,
);

browserTest("the page keys turn the pages of a view that was just opened", async () => {
  const page = await openScene("topic");
  await page.setViewportSize({ width: 1440, height: 600 });
  await page.getByText("Tuesday it is, then.").waitFor();
  const top = () => page.locator(".feed").evaluate(({ scrollTop }) => scrollTop);
  // A view that has only just become lower may still go to its end after a key was pressed.
  await eventually(async () => {
    await press(page, "PageUp");
    expect(await top()).toBe(0);
  });
  await press(page, "PageDown");
  await eventually(async () => expect(await top()).toBeGreaterThan(50));
});

browserTest(
  "a message is starred, reacted to and answered",
  async () => {
    const page = await openScene("topic");
    const row = page.getByRole("article").filter({ hasText: "Tuesday it is, then." });
    await row.waitFor();
    await press(page, "End", "Control+s");
    await press(page, "+");
    await row.getByRole("button", { name: /^\+1|thumbs/i }).waitFor();
    await press(page, "i");
    await page.getByRole("menu").waitFor();
    await press(page, "Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.matches("article"));
    await press(page, "r");
    await page.waitForFunction(() => document.activeElement?.matches(".compose textarea"));
    await page.keyboard.type("just j and k and ?");
    await eventually(async () =>
      expect(await page.locator(".compose textarea").inputValue()).toBe("just j and k and ?"),
    );
    await press(page, "Escape");
    await press(page, "*");
    await reached(page, /starred/);
    await page.getByText("Tuesday it is, then.").waitFor();
  },
  slowMilliseconds,
);

browserTest(
  "a new conversation begins in a channel, or with somebody",
  async () => {
    const page = await openScene("inbox");
    await press(page, "c");
    await reached(page, /^#feed$/);
    await page.waitForFunction(() => document.activeElement?.closest(".compose") !== null);
    await press(page, "Escape");
    await press(page, "x");
    await page.waitForFunction(() => document.activeElement?.closest(".compose") !== null);
  },
  slowMilliseconds,
);

browserTest(
  "the palette goes to a topic, a person and a view, and does a command",
  async () => {
    const page = await openScene("inbox");
    const find = async (text: string) => {
      await press(page, "Control+k");
      await page.getByRole("combobox", { name: "Go anywhere" }).fill(text);
    };
    await find("flaky");
    await page.getByRole("option", { name: "flaky poll test" }).waitFor();
    await press(page, "Enter");
    await reached(page, /topic\/flaky\.20poll\.20test/);
    await find("bram");
    await press(page, "Enter");
    await reached(page, /narrow\/dm\/\d+-Bram/);
    await find("rec");
    await press(page, "Enter");
    await reached(page, /^#recent$/);
    await find("show or hide people");
    await press(page, "Enter");
    await page.getByRole("complementary", { name: "People" }).waitFor({ state: "detached" });
    await press(page, "w");
    await page.getByRole("complementary", { name: "People" }).waitFor();
  },
  slowMilliseconds,
);

browserTest(
  "the palette leads to a search where nothing has the name",
  async () => {
    const page = await openScene("inbox");
    await press(page, "Control+k");
    await page.getByRole("combobox", { name: "Go anywhere" }).fill("frequencies zzz");
    await press(page, "Enter");
    await reached(page, /^#narrow\/search\/frequencies/);
    await page.locator(".nothing").getByText("Nothing was found.").waitFor();
  },
  slowMilliseconds,
);

browserTest(
  "the rail is filtered, and Enter opens the first that is left",
  async () => {
    const page = await openScene("inbox");
    await press(page, "q");
    await page.keyboard.type("infra");
    await page.waitForFunction(
      () => document.querySelectorAll(".rail nav h2 ~ ul a.line").length === 1,
    );
    await press(page, "Escape");
    await page.getByRole("link", { name: "lunch", exact: true }).waitFor();
  },
  slowMilliseconds,
);

browserTest(
  "arrows walk through the rail and the inbox, and Enter opens",
  async () => {
    const page = await openScene("inbox");
    const list = page.getByRole("region", { name: "Inbox" });
    // Two weeks after they came nobody is a newcomer.
    await eventually(async () =>
      expect(await page.getByRole("region", { name: /^Welcome/ }).count()).toBe(0),
    );
    await list.getByRole("link", { name: "Hana Sato" }).waitFor();
    await press(page, "j");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Hana Sato");
    await press(page, "ArrowDown", "ArrowDown", "ArrowDown");
    const place = await page.evaluate(() => document.activeElement?.getAttribute("href"));
    expect(place).toBe(await list.locator("a.line").nth(3).getAttribute("href"));
    await press(page, "Enter");
    await page.waitForFunction((hash) => location.hash === hash, place);
  },
  slowMilliseconds,
);

browserTest(
  "keys are listed, and single ones can be switched off",
  async () => {
    const page = await openScene("inbox");
    await press(page, "?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.getByText("Next unread topic", { exact: true }).waitFor();
    await dialog.getByRole("checkbox").focus();
    await press(page, "Space", "Escape");
    await dialog.waitFor({ state: "detached" });
    await press(page, "t", "Control+k");
    await page.getByRole("combobox", { name: "Go anywhere" }).fill("single-key");
    expect(await page.evaluate(() => location.hash)).toBe("#inbox");
    await press(page, "Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await press(page, "t");
    await reached(page, /^#recent$/);
  },
  slowMilliseconds,
);

browserTest(
  "keys count by their places on a keyboard without Latin letters",
  async () => {
    const page = await openScene("inbox");
    await page.evaluate(() =>
      document.body.dispatchEvent(
        new KeyboardEvent("keydown", { key: "е", code: "KeyT", bubbles: true, cancelable: true }),
      ),
    );
    await reached(page, /^#recent$/);
  },
  slowMilliseconds,
);

browserTest(
  "Esc goes up one layer at a time, and home at last",
  async () => {
    const page = await openScene("topic");
    await press(page, "/");
    const field = page.getByRole("combobox", { name: "Search messages" });
    await field.waitFor();
    await eventually(async () =>
      expect(await field.inputValue()).toBe('channel:engineering topic:"release 2.0" '),
    );
    await press(page, "Escape");
    await field.waitFor({ state: "detached" });
    await reached(page, /topic\/release/);
    await press(page, "Escape");
    await reached(page, /^#inbox$/);
  },
  slowMilliseconds,
);

browserTest(
  "a key pressed while a topic is being loaded acts on the message that led there",
  async () => {
    const page = await openScene("channel");
    await on.world.bob.say("engineering", "slow", "It loads for long.");
    await page.getByRole("article").getByText("It loads for long.").waitFor();
    const { asked, letGo } = await holdAnswer(page, "/messages?");
    await press(page, "Shift+G", "s");
    await asked();
    await page.locator(".feed article").first().waitFor({ state: "detached" });
    await press(page, "Shift+S");
    await reached(page, /^#narrow\/channel\/\d+-engineering$/);
    await letGo();
  },
);
