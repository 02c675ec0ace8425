import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { en as words } from "../../../src/web/words/en";
import { browserTest, origin, stage, topicIn } from "../browser";
import { eventually } from "../waiting";

const on = stage();
const lunch = () => topicIn(on, "lunch");

/** Opens Bob's page; the second file of the client is held, or fails, until it is let go. */
async function openWithoutLateParts(fragment: string, fate: "held" | "failing" = "held") {
  const page = await on.newTab(on.world.bob);
  const html = page
    .waitForResponse((response) => response.request().isNavigationRequest())
    .then((response) => response.text());
  const isLetGo = Promise.withResolvers<void>();
  let isFailing = fate === "failing";
  await page.route("**/static/web/*.js", async (route) => {
    const { pathname } = new URL(route.request().url());
    if ((await html).includes(`src="${pathname}"`)) return route.continue();
    if (isFailing) return route.abort();
    await isLetGo.promise;
    await route.continue();
  });
  await page.goto(`${origin}/${fragment}`);
  await page.locator(".rows[aria-busy=false], .head:only-child").waitFor();
  // In a tab that had the late parts already, nothing would come, and so nothing would move.
  expect(await page.locator(".shell[data-whole=true]").count()).toBe(0);
  const letGo = async () => {
    isFailing = false;
    isLetGo.resolve();
    await page.locator(".shell[data-whole=true]").waitFor();
  };
  return { page, letGo };
}

const placesIn = (page: Page) =>
  page.locator(".rail, .head, .head .end > .tool, .feed, .compose, .side").evaluateAll((elements) =>
    elements.map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [one.classList[0], x, y, width, height].join(" ");
    }),
  );

browserTest(
  "what happens before all parts are there is lost for nobody, and nothing moves",
  async () => {
    const { alice } = on.world;
    const first = await alice.say("general", "lunch", "Soup at noon?");
    const { page, letGo } = await openWithoutLateParts(lunch());
    expect(await page.getByRole("textbox").count()).toBe(0);
    const places = await placesIn(page);
    const another = await alice.say("general", "lunch", "Or bread?");
    await alice.say("general", "dinner", "Pasta later");
    await alice.post(`/messages/${first}/reactions`, { emoji_name: "tada" });
    await letGo();
    await page.locator(`article[data-id="${another}"]`).waitFor();
    await page.locator(`article[data-id="${first}"] .reaction`).first().waitFor();
    await page.getByRole("link", { name: /dinner/ }).waitFor();
    expect(await placesIn(page)).toEqual(places);
  },
);

browserTest(
  "a direct conversation that is begun before the box is there begins when it comes",
  async () => {
    await on.world.alice.say("general", "lunch", "Soup at noon?");
    const { page, letGo } = await openWithoutLateParts(lunch());
    await page.getByRole("button", { name: "New direct message" }).click();
    await letGo();
    await page.locator(".compose .to input").waitFor();
  },
);

for (const view of ["#feed", "#narrow/channel/1", "#recent"])
  browserTest(`nothing of ${view} moves when its parts come`, async () => {
    await on.world.alice.say("general", "lunch", "Soup at noon?");
    const { page, letGo } = await openWithoutLateParts(view);
    const places = await placesIn(page);
    await letGo();
    expect(await placesIn(page)).toEqual(places);
  });

browserTest(
  "parts that do not come are asked for again, and the person is told meanwhile",
  async () => {
    await on.world.alice.say("general", "lunch", "Soup at noon?");
    const { page, letGo } = await openWithoutLateParts(lunch(), "failing");
    await page.getByRole("status").filter({ hasText: words.disconnected }).waitFor();
    await letGo();
    await page
      .getByRole("status")
      .filter({ hasText: words.disconnected })
      .waitFor({ state: "detached" });
  },
);

browserTest("names of emoji that could not be loaded are asked for again", async () => {
  const page = await on.open(on.world.bob, lunch());
  const script = "**/static/web/*.js";
  await page.route(script, (route) => route.abort());
  const isRefused = page.waitForEvent("requestfailed");
  const box = page.locator(".compose textarea");
  await box.pressSequentially("Cheers :bee");
  await isRefused;
  await page.unroute(script);
  const beer = page.getByRole("option", { name: /beer/ }).first();
  // The page notices after the browser that the file has not come.
  await eventually(async () => {
    await box.fill("Cheers :bee");
    await box.press("r");
    expect(await beer.isVisible()).toBe(true);
  });
  await box.fill("");
});

browserTest(
  "a part that stays away makes the page ask for its files once more, and no oftener",
  async () => {
    const page = await on.open(on.world.bob, lunch());
    const asked: string[] = [];
    await page.route("**/static/web/*.js", (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    // After each failure the page asks whether the server is there.
    let failures = 0;
    page.on("response", (answer) => {
      if (answer.url().endsWith("/account/session")) failures += 1;
    });
    const box = page.locator(".compose textarea");
    const files = await page.evaluate(() => performance.getEntriesByType("resource").length);
    for (let before = 0; before < 6; before = failures)
      await eventually(async () => {
        await box.fill("Cheers :be");
        await box.press("e");
        expect(failures).toBeGreaterThan(before);
      });
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThan(2 * files + 20);
    await box.fill("");
    await page.unrouteAll();
  },
);

browserTest("a message with the focus has its actions as soon as they are there", async () => {
  await on.world.alice.say("general", "lunch", "Rice for all");
  const { page, letGo } = await openWithoutLateParts(lunch());
  await page.keyboard.press("Tab");
  const row = page.getByRole("article").filter({ hasText: "Rice for all" });
  await row.focus();
  await letGo();
  await row.getByRole("toolbar").getByRole("button", { name: "Reply" }).waitFor();
});
