import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";
import { overflowing } from "../overflow";
import { eventually } from "../waiting";

/* The fields of the recipient above the text that is written. */

const on = stage();

const box = (page: Page) => page.locator(".compose textarea");
const people = (page: Page) => page.getByRole("combobox", { name: "People" });
const topic = (page: Page) => page.getByRole("combobox", { name: "Topic", exact: true });
const channel = () => `#narrow/channel/${on.world.channels.general}-general`;

const widthMin = 160;

const widthOf = async (part: ReturnType<typeof box>): Promise<number> =>
  (await part.boundingBox())?.width ?? 0;

for (const width of [390, 320])
  browserTest(`on a phone of ${width} px one sees the name that one types`, async () => {
    on.browsersAre({ hasTouch: true, isMobile: true });
    const { alice, bob } = on.world;
    const long = "Release notes of the second version, in all languages";
    await bob.say("general", long, "Soon.");
    const page = await on.open(alice, channel());
    await page.setViewportSize({ width, height: 420 });
    expect(await widthOf(topic(page))).toBeGreaterThan(widthMin);
    await topic(page).fill("rele");
    await page.getByRole("button", { name: "Write to this conversation" }).waitFor();
    expect(await widthOf(topic(page))).toBeGreaterThan(widthMin);
    await page.getByRole("option", { name: long }).waitFor();
    const { x, width: listWidth } = (await page.locator(".offers").boundingBox()) ?? {};
    expect(x).toBeGreaterThan(0);
    expect(Number(x) + Number(listWidth)).toBeLessThan(width);
    expect(Number(listWidth)).toBeGreaterThan(width * 0.9);
    await page.getByRole("button", { name: "Write to people" }).click();
    for (const name of ["bob", "carol"]) {
      await people(page).fill(name);
      await people(page).press("Enter");
    }
    expect(await widthOf(people(page))).toBeGreaterThan(widthMin);
    expect(await overflowing(page)).toEqual([]);
  });

browserTest("names that are typed after x are those of people, and Enter leads on", async () => {
  const { alice } = on.world;
  const page = await on.open(alice, "#inbox");
  for (const open of ["by key", "by button"]) {
    if (open === "by key") await page.keyboard.press("x");
    else await page.getByRole("button", { name: "New direct message" }).click();
    await page.keyboard.type("bob");
    await page.getByRole("option", { name: "Bob" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove Bob" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Soup?");
    await eventually(async () => expect(await box(page).inputValue()).toBe("Soup?"));
    await box(page).fill("");
    await on.openIn(page, "#inbox");
  }
});

browserTest("what is typed after c in a topic is the name of another one", async () => {
  const { alice, bob } = on.world;
  await bob.say("general", "lunch", "Where shall we eat?");
  const page = await on.open(alice, `${channel()}/topic/lunch`);
  await page.getByText("Where shall we eat?").waitFor();
  await page.keyboard.press("c");
  const placeholder = await topic(page).getAttribute("placeholder");
  expect(placeholder).toBe("Topic (empty: general chat)");
  await page.keyboard.type("dinner");
  await page.keyboard.press("Enter");
  await page.keyboard.type("At eight");
  await eventually(async () => expect(await box(page).inputValue()).toBe("At eight"));
  await page.keyboard.press("Control+Enter");
  await page.getByText("Sent to general › dinner.").waitFor();
  await page.getByRole("link", { name: "Show it" }).click();
  // The text that is being sent may be there beside the message for a moment.
  await page.locator("article[data-id]", { hasText: "At eight" }).waitFor();
  expect(await page.getByText("Sent to general › dinner.").count()).toBe(0);
});

browserTest("Esc after c leads to the messages", async () => {
  const { alice, bob } = on.world;
  await bob.tell([alice], "Soup?");
  const page = await on.open(alice, `#narrow/dm/${bob.id}-Bob`);
  await page.locator("article").first().waitFor();
  await page.keyboard.press("c");
  await page.locator(".compose select:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".compose select:not(:focus)").waitFor();
  expect(page.url()).toContain("#narrow/dm/");
});

browserTest("c leads to the text in a channel without topics", async () => {
  const { alice } = on.world;
  const made = { subscriptions: [{ name: "news" }], topics_policy: "empty_topic_only" };
  expect((await alice.post("/users/me/subscriptions", made)).status).toBe(200);
  const { stream_id: id } = (await alice.get("/get_stream_id", { stream: "news" })).body;
  const page = await on.open(alice, `#narrow/channel/${id}-news`);
  await box(page).waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("Hello");
  await eventually(async () => expect(await box(page).inputValue()).toBe("Hello"));
});
