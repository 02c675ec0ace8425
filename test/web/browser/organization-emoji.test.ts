import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { roleGroups } from "../../support/groups";
import { emojiForm, movingGif, paint } from "../../support/pictures";
import type { Person } from "../../support/world";
import { breachesIn } from "../axe";
import { browserTest, stage } from "../browser";
import { holdAnswer } from "../held-answer";
import { eventually, until } from "../waiting";

/* The organization's own emoji, in the settings: their list, and how one is added and removed. */

const on = stage({}, { pagesGoOn: true });

const green = paint(96, 96, () => [30, 140, 80]);
const section = "#settings/organization";

const part = (page: Page) =>
  page.locator("section.part", { has: page.getByRole("heading", { name: "Custom emoji" }) });
const row = (page: Page, name: string) =>
  part(page)
    .getByRole("listitem")
    .filter({ hasText: `:${name}:` });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const addDialog = (page: Page) => page.getByRole("dialog", { name: "Add an emoji" });
const nameIn = (page: Page) => addDialog(page).getByRole("textbox", { name: "Name" });

/** Chooses a file in the dialog by its button, as its reader does. */
async function choose(page: Page, name: string, content: Uint8Array, type = "image/png") {
  const chosen = page.waitForEvent("filechooser");
  await button(page, "Choose a picture").click();
  await (await chosen).setFiles([{ name, mimeType: type, buffer: Buffer.from(content) }]);
}

/** Drops a file on the field for the picture, of which nothing may reach the page below. */
async function drop(page: Page, name: string, content: Uint8Array): Promise<void> {
  const bytes = Buffer.from(content).toString("base64");
  const data = await page.evaluateHandle(
    ([fileName = "", base64 = ""]) => {
      const given = new DataTransfer();
      const file = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      given.items.add(new File([file], fileName, { type: "image/png" }));
      return given;
    },
    [name, bytes],
  );
  const field = addDialog(page).getByRole("group", { name: "Picture" });
  await field.dispatchEvent("dragover", { dataTransfer: data });
  await until(async () => (await field.getAttribute("class")) === "drop on");
  await field.dispatchEvent("drop", { dataTransfer: data });
  await until(async () => (await field.getAttribute("class")) === "drop");
}

const isFocused = (element: Locator) =>
  until(() => element.evaluate((one) => one === document.activeElement));

const usable = async (): Promise<string[]> => {
  const { emoji } = (await on.world.olga.get("/realm/emoji")).body;
  return Object.values<{ name: string; deactivated: boolean }>(emoji)
    .filter(({ deactivated }) => !deactivated)
    .map(({ name }) => name)
    .sort();
};

async function add(person: Person, name: string, picture = green): Promise<void> {
  const form = { body: emojiForm(picture) };
  expect((await person.ask("POST", `/realm/emoji/${name}`, {}, form)).status).toBe(200);
}

async function removeAll(): Promise<void> {
  for (const name of await usable()) await on.world.olga.delete(`/realm/emoji/${name}`);
}

browserTest(
  "Alice adds an emoji, which Bob sees at once, and removes it after a question",
  async () => {
    const { alice, bob } = on.world;
    const page = await on.open(alice, section);
    const his = await on.open(bob, section);
    await part(his).getByText("There are no custom emoji yet.").waitFor();
    await button(page, "Add an emoji").click();
    await choose(page, "Party Cät.png", green);
    await addDialog(page).getByText("Party Cät.png").waitFor();
    await until(async () => (await nameIn(page).inputValue()) === "party_cat");
    expect(
      await addDialog(page)
        .locator("img")
        .evaluate((img) => img.clientWidth),
    ).toBe(30);
    expect(await breachesIn(page, "dialog")).toEqual([]);
    await button(page, "Add").click();
    await page.getByText(":party_cat: is added.").waitFor();
    await addDialog(page).waitFor({ state: "detached" });
    await row(his, "party_cat").getByText("by Alice").waitFor();
    await until(() =>
      row(his, "party_cat")
        .locator("img")
        .evaluate((img: HTMLImageElement) => img.naturalWidth === 64),
    );
    expect(await row(his, "party_cat").getByRole("button").count()).toBe(0);
    expect(await breachesIn(page)).toEqual([]);
    const question = page.getByRole("dialog", { name: "Remove :party_cat:" });
    await button(page, "Remove :party_cat:").press("Enter");
    await question.getByText("its name is free again").waitFor();
    expect(await breachesIn(page, "dialog")).toEqual([]);
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await usable()).toEqual(["party_cat"]);
    await button(page, "Remove :party_cat:").press("Enter");
    await question.getByRole("button", { name: "Remove" }).click();
    await page.getByText(":party_cat: is removed.").waitFor();
    await row(his, "party_cat").waitFor({ state: "detached" });
    await row(page, "party_cat").waitFor({ state: "detached" });
    await isFocused(part(page).getByText("Everybody in the organization can use these"));
    expect(await usable()).toEqual([]);
  },
);

browserTest("a picture is dropped, a typed name stays, and the keys alone are enough", async () => {
  const { alice } = on.world;
  const page = await on.open(alice, section);
  await button(page, "Add an emoji").press("Enter");
  await until(() => nameIn(page).evaluate((field) => field === document.activeElement));
  await page.keyboard.type("acmeowl");
  await page.keyboard.press("Escape");
  await addDialog(page).waitFor({ state: "detached" });
  // A closed dialog has lost nothing that was typed.
  await page.keyboard.press("Enter");
  await until(async () => (await nameIn(page).inputValue()) === "acmeowl");
  await drop(page, "night.png", green);
  await addDialog(page).getByText("night.png").waitFor();
  expect(await nameIn(page).inputValue()).toBe("acmeowl");
  await nameIn(page).press("Enter");
  await row(page, "acmeowl").getByText("by Alice").waitFor();
  await addDialog(page).waitFor({ state: "detached" });
  expect(await page.getByText("night.png").count()).toBe(0);
  await button(page, "Add an emoji").press("Enter");
  await until(async () => (await nameIn(page).inputValue()) === "");
  await page.keyboard.press("Escape");
  await removeAll();
});

browserTest(
  "names and pictures are refused in words, before they are sent where that is sure",
  async () => {
    const { alice } = on.world;
    await add(alice, "taken");
    const page = await on.open(alice, section);
    await button(page, "Add an emoji").click();
    const says = (text: string) => addDialog(page).getByText(text).waitFor();
    await nameIn(page).fill("Über");
    await says("A name has only lowercase letters");
    expect(await nameIn(page).getAttribute("aria-invalid")).toBe("true");
    await nameIn(page).fill("taken");
    await says("There is a custom emoji :taken: already.");
    expect(await breachesIn(page, "dialog")).toEqual([]);
    await nameIn(page).fill("smile");
    await says("Only administrators may replace it");
    await nameIn(page).fill("acme_");
    await until(async () => (await nameIn(page).getAttribute("aria-invalid")) === "false");
    await button(page, "Add").click();
    await says("A name ends in a letter or digit.");
    await isFocused(nameIn(page));
    await nameIn(page).fill("");
    await button(page, "Add").click();
    await says("Give the emoji a name.");
    await isFocused(nameIn(page));
    await nameIn(page).fill("acme owl");
    await button(page, "Add").click();
    await says("Choose a picture first.");
    await choose(page, "notes.txt", Buffer.from("notes"), "text/plain");
    await says("This file is no picture");
    await choose(page, "broken.png", Buffer.from("broken"));
    await says("This file is no picture");
    await choose(page, "large.png", Buffer.alloc(5 * 1_048_576 + 1));
    await says("A picture may have at most 5 MiB.");
    // The server alone knows that this one is none that it takes.
    await choose(page, "drawn.svg", Buffer.from(svg), "image/svg+xml");
    await addDialog(page).getByText("drawn.svg").waitFor();
    await button(page, "Add").click();
    await says("The file is no picture that can be read.");
    await choose(page, "owl.png", green);
    await addDialog(page).getByText("owl.png").waitFor();
    expect(await usable()).toEqual(["taken"]);
    await button(page, "Add").click();
    await row(page, "acme_owl").waitFor();
    await removeAll();
  },
);

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

browserTest(
  "a person who reads German is refused in German, by the page and by the server",
  async () => {
    const { bob } = on.world;
    expect((await bob.patch("/settings", { default_language: "de" })).status).toBe(200);
    // A page that goes on may be in English.
    const page = await on.openIn(await on.newTab(bob), section);
    await button(page, "Ein Emoji hinzufügen").click();
    const dialog = page.getByRole("dialog", { name: "Ein Emoji hinzufügen" });
    await dialog.getByLabel("Name").fill("UHU");
    await dialog.getByText("Ein Name hat nur Kleinbuchstaben").waitFor();
    await dialog.getByLabel("Name").fill("uhu");
    await dialog
      .locator("input[type=file]")
      .setInputFiles([{ name: "uhu.svg", mimeType: "image/svg+xml", buffer: Buffer.from(svg) }]);
    await dialog.getByText("uhu.svg").waitFor();
    await dialog.getByRole("button", { name: "Hinzufügen" }).click();
    await dialog.getByText("Diese Datei ist kein lesbares Bild.").waitFor();
    await dialog.getByRole("button", { name: "Abbrechen" }).click();
    expect((await bob.patch("/settings", { default_language: "en" })).status).toBe(200);
    // His page must not go on in German.
    await page.goto("about:blank");
  },
);

browserTest(
  "a person who may not add emoji sees only the list; an administrator removes any",
  async () => {
    const { olga, adam, carol } = on.world;
    await add(carol, "hers");
    const hers = await on.open(carol, section);
    const his = await on.open(adam, section);
    await button(hers, "Remove :hers:").waitFor();
    await button(hers, "Add an emoji").click();
    await nameIn(hers).fill("late");
    await choose(hers, "late.png", green);
    const { moderators, members } = await roleGroups(on.world);
    await olga.patch("/realm", { can_add_custom_emoji_group: { new: moderators } });
    await button(hers, "Remove :hers:").waitFor({ state: "detached" });
    await button(hers, "Add").click();
    await addDialog(hers).getByText("You do not have permission to add custom emoji").waitFor();
    await hers.keyboard.press("Escape");
    await addDialog(hers).waitFor({ state: "detached" });
    await row(hers, "hers").waitFor();
    expect(await part(hers).getByRole("button").count()).toBe(0);
    expect(await breachesIn(hers)).toEqual([]);
    await button(his, "Remove :hers:").click();
    const question = his.getByRole("dialog", { name: "Remove :hers:" });
    await carol.delete("/realm/emoji/hers");
    await olga.delete("/realm/emoji/hers");
    await question.getByText(":hers: has been removed already.").waitFor();
    await his.keyboard.press("Escape");
    await button(his, "Add an emoji").click();
    await nameIn(his).fill("smile");
    await addDialog(his).getByText("Yours takes its place for the whole organization.").waitFor();
    await his.keyboard.press("Escape");
    await olga.patch("/realm", { can_add_custom_emoji_group: { new: members } });
    await button(hers, "Add an emoji").waitFor();
  },
);

browserTest(
  "of many emoji the first ones are drawn, and all are found, on a small window too",
  async () => {
    const { adam, mona } = on.world;
    const longest = "a".repeat(100);
    for (let number = 10; number < 34; number += 1) await add(adam, `tile${number}`);
    await add(mona, longest, movingGif);
    const page = await on.open(adam, section);
    await part(page).getByText("25 emoji").waitFor();
    expect(await part(page).getByRole("listitem").count()).toBe(20);
    await part(page).getByLabel("Find emoji").fill(":tile33:");
    await row(page, "tile33").waitFor();
    await part(page).getByText("1 emoji").waitFor();
    await part(page).getByLabel("Find emoji").fill("mona");
    await row(page, longest).getByText("by Mona").waitFor();
    const shown = () =>
      row(page, longest)
        .locator("img")
        .evaluate((img: HTMLImageElement) => img.currentSrc);
    await until(async () => (await shown()).endsWith(".gif"));
    await page.emulateMedia({ reducedMotion: "reduce" });
    await until(async () => (await shown()).endsWith(".png"));
    await page.setViewportSize({ width: 320, height: 640 });
    await eventually(async () =>
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0),
    );
    await part(page).getByLabel("Find emoji").fill("nothing of that name");
    await part(page).getByText("No custom emoji has this name or author.").waitFor();
    await removeAll();
  },
);

browserTest(
  "the event of an own emoji may come before the answer, in which nothing is wrong",
  async () => {
    const { alice } = on.world;
    const page = await on.open(alice, section);
    await button(page, "Add an emoji").click();
    await nameIn(page).fill("early");
    await choose(page, "early.png", green);
    const adding = await holdAnswer(page, "/realm/emoji/early");
    await button(page, "Add").click();
    await row(page, "early").waitFor();
    expect(await addDialog(page).getByText("There is a custom emoji").count()).toBe(0);
    await page.keyboard.press("Escape");
    await button(page, "Add an emoji").click();
    await nameIn(page).fill("another");
    await adding.letGo();
    await page.getByText(":early: is added.").waitFor();
    expect(await nameIn(page).inputValue()).toBe("another");
    await nameIn(page).fill("");
    await page.keyboard.press("Escape");
    await button(page, "Remove :early:").click();
    const question = page.getByRole("dialog", { name: "Remove :early:" });
    const removing = await holdAnswer(page, "/realm/emoji/early");
    await question.getByRole("button", { name: "Remove" }).click();
    await row(page, "early").waitFor({ state: "detached" });
    await question.getByText("It cannot be chosen any more.").waitFor();
    expect(await question.getByText("has been removed already").count()).toBe(0);
    await removing.letGo();
    await page.getByText(":early: is removed.").waitFor();
    await isFocused(part(page).getByText("Everybody in the organization can use these"));
  },
);

browserTest(
  "a page that has heard nothing for a while removes no other emoji of a name",
  async () => {
    const { adam, alice, carol } = on.world;
    await add(alice, "heron");
    const page = await on.open(adam, section);
    const isDeaf = page.waitForRequest("**/api/v1/events?*");
    await page.route("**/api/v1/events?*", () => undefined);
    await add(alice, "stork");
    await isDeaf;
    await button(page, "Remove :heron:").click();
    await alice.delete("/realm/emoji/heron");
    await add(carol, "heron");
    const question = page.getByRole("dialog", { name: "Remove :heron:" });
    await question.getByRole("button", { name: "Remove" }).click();
    await question.getByText(":heron: has been removed already.").waitFor();
    expect(await usable()).toEqual(["heron", "stork"]);
    await removeAll();
  },
);

browserTest(
  "an administrator replaces no emoji that everybody has without being told",
  async () => {
    // A page that goes on may have loaded the names.
    const page = await on.openIn(await on.newTab(on.world.adam), section);
    await button(page, "Add an emoji").waitFor();
    await page.route("**/static/web/*.js", (route) => route.abort());
    await button(page, "Add an emoji").click();
    await nameIn(page).fill("smile");
    await choose(page, "smile.png", green);
    await button(page, "Add").click();
    await addDialog(page).getByText("A part of this page could not be loaded.").waitFor();
    await page.unroute("**/static/web/*.js");
    await button(page, "Add").click();
    await addDialog(page).getByText("Read the note at the name").waitFor();
    await addDialog(page).getByText("Yours takes its place for the whole organization.").waitFor();
    expect(await usable()).toEqual([]);
    await button(page, "Add").click();
    await row(page, "smile").waitFor();
    await removeAll();
  },
);

browserTest("the picture of an emoji may take longer than other changes", async () => {
  const page = await on.open(on.world.alice, section);
  await page.evaluate(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => (ms === 60_000 ? AbortSignal.abort() : timeout(ms));
  });
  await button(page, "Add an emoji").click();
  await nameIn(page).fill("by_post");
  await choose(page, "post.png", green);
  await button(page, "Add").click();
  await row(page, "by_post").waitFor();
  await removeAll();
});
