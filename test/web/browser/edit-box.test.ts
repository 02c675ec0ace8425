import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { breachesIn } from "../axe";
import { browserTest, stage, topicIn } from "../browser";
import { eventually, until } from "../waiting";

const on = stage({}, { pagesGoOn: true });

const rowOf = (page: Page, id: number) => page.locator(`[data-id="${id}"]`);
const box = (page: Page) => page.getByRole("textbox", { name: "Text of the message" });

/** Opens a message of alice to be changed, as ↑ does in an empty box. */
async function editing(name: string, text: string): Promise<{ page: Page; id: number }> {
  const { alice } = on.world;
  const id = await alice.say("general", name, text);
  const page = await on.open(alice, topicIn(on, name));
  await rowOf(page, id).waitFor();
  await page.locator(".compose textarea").press("ArrowUp");
  await until(async () => (await box(page).inputValue()) === text);
  return { page, id };
}

/** Gives the element at a selector a file, as a paste or a drop does. */
const give = (page: Page, how: "paste" | "drop", at: string, name: string) =>
  page.evaluate(
    ([kind, selector = "", fileName = ""]) => {
      const data = new DataTransfer();
      data.items.add(new File(["content"], fileName, { type: "text/plain" }));
      const event =
        kind === "paste"
          ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector(selector)?.dispatchEvent(event);
    },
    [how, at, name],
  );

describe("the box of a message that is changed", () => {
  browserTest(
    "offers people, emoji and channels, which float in sight, by keys alone",
    async () => {
      const { bob } = on.world;
      const { page, id } = await editing("offers", "Ask");
      await box(page).pressSequentially(" @bo");
      const offer = page.getByRole("option", { name: /Bob/ });
      await offer.waitFor();
      await eventually(async () =>
        expect(await box(page).getAttribute("aria-activedescendant")).toBe(
          await offer.getAttribute("id"),
        ),
      );
      const place = await page.locator(".offers").boundingBox();
      expect(place?.y).toBeGreaterThanOrEqual(0);
      expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(
        page.viewportSize()?.height ?? 0,
      );
      expect(await breachesIn(page, ".edit")).toEqual([]);
      // Esc takes the offers away, and leaves the box only then.
      await page.keyboard.press("Escape");
      await offer.waitFor({ state: "detached" });
      for (const _ of "@bo") await box(page).press("Backspace");
      await box(page).pressSequentially("@bo");
      await offer.waitFor();
      await page.keyboard.press("Enter");
      await box(page).pressSequentially("about :tad");
      await page.getByRole("option", { name: "tada" }).waitFor();
      await page.keyboard.press("Tab");
      await eventually(async () =>
        expect(await box(page).inputValue()).toBe("Ask @**Bob** about :tada: "),
      );
      await page.keyboard.press("Control+Enter");
      const his = await on.open(bob, topicIn(on, "offers"));
      await rowOf(his, id).locator(".user-mention", { hasText: "@Bob" }).waitFor();
      await eventually(async () =>
        expect(await page.locator(".compose textarea").inputValue()).toBe(""),
      );
    },
  );

  browserTest("formats by keys and buttons, and shows a preview and the text again", async () => {
    const { page } = await editing("formats", "plain");
    await box(page).press("Control+a");
    await page.keyboard.press("Control+b");
    await eventually(async () => expect(await box(page).inputValue()).toBe("**plain**"));
    await page
      .locator(".edit")
      .getByRole("button", { name: /Italic/ })
      .click();
    await eventually(async () => expect(await box(page).inputValue()).toBe("***plain***"));
    await page.keyboard.press("Alt+p");
    const preview = page.locator(".edit").getByRole("region", { name: "Preview" });
    await preview.locator("strong").getByText("plain").waitFor();
    await page.waitForFunction(() => document.activeElement?.matches(".edit .preview"));
    await eventually(async () => expect(await page.locator(".compose textarea").count()).toBe(1));
    await page.keyboard.press("Alt+p");
    await page.waitForFunction(() => document.activeElement?.matches(".edit textarea"));
    await eventually(async () => expect(await box(page).inputValue()).toBe("***plain***"));
  });

  browserTest("takes files by paste, and by drop anywhere on the page", async () => {
    const { page, id } = await editing("files", "Two files:");
    await give(page, "paste", ".edit textarea", "pasted.txt");
    await until(async () =>
      /\(\/user_uploads\/[^)]+pasted.txt\)/.test(await box(page).inputValue()),
    );
    await give(page, "drop", ".rail", "dropped.txt");
    await until(async () =>
      /\(\/user_uploads\/[^)]+dropped.txt\)/.test(await box(page).inputValue()),
    );
    await eventually(async () =>
      expect(await page.locator(".compose textarea").inputValue()).toBe(""),
    );
    await box(page).press("Control+Enter");
    await rowOf(page, id).getByRole("link", { name: "dropped.txt" }).waitFor();
    await eventually(async () =>
      expect(await rowOf(page, id).getByRole("link", { name: "pasted.txt" }).count()).toBe(1),
    );
  });

  browserTest("waits for a file before it is saved, and cancelling gives the file up", async () => {
    const { page, id } = await editing("slow", "With a file:");
    await page.route("**/user_uploads", () => undefined);
    await page.route("**/api/v1/user_uploads", () => undefined);
    await give(page, "paste", ".edit textarea", "slow.txt");
    await page.getByRole("progressbar", { name: "slow.txt" }).waitFor();
    await box(page).press("Control+Enter");
    await rowOf(page, id).getByText("A file is still uploading").waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await until(async () => (await box(page).inputValue()).trim() === "With a file:");
    await eventually(async () =>
      expect(await page.getByRole("progressbar", { name: "slow.txt" }).count()).toBe(0),
    );
  });

  browserTest("can be saved where it was given up and taken back while it was saved", async () => {
    const { page, id } = await editing("given up", "As it was");
    const { promise: isLost, resolve: lose } = Promise.withResolvers<void>();
    const message = `**/api/v1/messages/${id}`;
    const save = page.waitForRequest((one) => one.method() === "PATCH");
    await page.route(message, async (route) => {
      await isLost;
      await route.abort();
    });
    await box(page).fill("As it is now");
    await box(page).press("Control+Enter");
    const failed = page.waitForEvent("requestfailed", (one) => one.method() === "PATCH");
    await save;
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    lose();
    await failed;
    await page.unroute(message);
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await box(page).press("Control+Enter");
    await rowOf(page, id).getByText("As it is now").waitFor();
    await box(page).waitFor({ state: "detached" });
  });

  browserTest("keeps a text that is too long for a message, whole and unsaved", async () => {
    const { alice } = on.world;
    const { page, id } = await editing("too long", "Short");
    const saves: string[] = [];
    page.on("request", (one) => {
      if (one.method() === "PATCH") saves.push(one.url());
    });
    await box(page).fill("x".repeat(10_004));
    await box(page).press("Control+Enter");
    await page.locator(".edit").getByText("Too long by 4 characters.").waitFor();
    await box(page).press("End");
    for (const _ of "four") await box(page).press("Backspace");
    await box(page).press("Control+Enter");
    await box(page).waitFor({ state: "detached" });
    const { body } = await alice.get(`/messages/${id}`);
    expect(body.raw_content).toBe("x".repeat(10_000));
    expect(saves.length).toBe(1);
  });

  browserTest("closes where the text was saved, though the answer was lost", async () => {
    const { page, id } = await editing("echo", "Is anybody");
    await page.evaluate(loseChanges);
    await box(page).fill("Is anybody there?");
    await page.getByRole("button", { name: "Save" }).click();
    await box(page).waitFor({ state: "detached" });
    await rowOf(page, id).getByText("Is anybody there?").waitFor();
  });

  browserTest("stands beside another one, each with offers of its own", async () => {
    const { alice } = on.world;
    const first = await alice.say("general", "several", "One");
    const { page, id } = await editing("several", "Two");
    await rowOf(page, first).hover();
    await rowOf(page, first).getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const [one, two] = [first, id].map((of) => rowOf(page, of).getByRole("textbox"));
    await until(async () => (await one?.inputValue()) === "One");
    await one?.pressSequentially(" @al");
    await page.getByRole("option").first().waitFor();
    await eventually(async () => expect(await two?.getAttribute("aria-controls")).toBeNull());
    await two?.focus();
    await page.getByRole("option").first().waitFor({ state: "detached" });
    await eventually(async () => expect(await two?.inputValue()).toBe("Two"));
    await eventually(async () => expect(await one?.inputValue()).toBe("One @al"));
  });

  browserTest("is not told of its own text where it goes on while that is saved", async () => {
    const { page, id } = await editing("saved-twice", "Soup");
    const isLetGo = Promise.withResolvers<void>();
    await page.route(`**/api/v1/messages/${id}`, async (route) => {
      await isLetGo.promise;
      await route.continue();
    });
    await box(page).fill("Soup and rice \n");
    await box(page).press("Control+Enter");
    await box(page).press("Control+End");
    await page.keyboard.type("and stew");
    const answer = page.waitForResponse((one) => one.request().method() === "PATCH");
    isLetGo.resolve();
    await (await answer).finished();
    // Events come in their order: by now that of the change has come.
    await on.world.bob.say("general", "saved-twice", "Mine too");
    await page.getByRole("article").filter({ hasText: "Mine too" }).waitFor();
    expect(await page.getByText("Someone else has edited this message").count()).toBe(0);
    await box(page).press("Control+Enter");
    await box(page).waitFor({ state: "detached" });
    await rowOf(page, id).getByText("and stew").waitFor();
  });
});

browserTest(
  "↑ in an empty box opens a message that may still be changed, and no other",
  async () => {
    const { alice, clock } = on.world;
    const id = await alice.say("general", "old", "Said long ago");
    clock.advance(86_400);
    const page = await on.open(alice, topicIn(on, "old"));
    const compose = page.locator(".compose textarea");
    await rowOf(page, id).waitFor();
    await compose.press("ArrowUp");
    await compose.press("x");
    expect(await compose.inputValue()).toBe("x");
    expect(await box(page).count()).toBe(0);
    await compose.fill("");
  },
);

/** Has the answers to changes of messages get lost on their way to the page. */
function loseChanges() {
  const ask = window.fetch.bind(window);
  const askInVain = async (...asked: Parameters<typeof ask>) => {
    const answer = await ask(...asked);
    if (asked[1]?.method === "PATCH") throw new TypeError("Failed to fetch");
    return answer;
  };
  window.fetch = Object.assign(askInVain, ask);
}
