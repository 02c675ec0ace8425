import { expect } from "bun:test";
import { readdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { box, browserTest, rowOf } from "../../browser";
import { executableStage, topicAt } from "../../executable";
import { eventually } from "../../waiting";

const on = executableStage();

async function send(page: Page, text: string) {
  await box(page).fill(text);
  await box(page).press("Control+Enter");
}

/** Opens the actions of a message and chooses one of its menu. */
async function choose(page: Page, text: string, item: string) {
  await rowOf(page, text).hover();
  const actions = page.getByRole("toolbar", { name: "Message actions" });
  await actions.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

interface Two {
  hers: Page;
  his: Page;
}

async function writeAndAnswer({ hers, his }: Two) {
  await send(hers, "Soup at **noon**?");
  await eventually(async () =>
    expect(await rowOf(his, "Soup at noon?").locator("strong").textContent()).toBe("noon"),
  );
  await box(his).pressSequentially("Gladly");
  await hers.getByText("Bob is typing").waitFor();
  await box(his).press("Control+Enter");
  await rowOf(hers, "Gladly").waitFor();
  await hers.getByText("Bob is typing").waitFor({ state: "detached" });
}

async function react({ hers, his }: Two) {
  await rowOf(his, "Soup at noon?").hover();
  const actions = his.getByRole("toolbar", { name: "Message actions" });
  await actions.getByRole("button", { name: "React" }).click();
  await his.getByRole("combobox", { name: "Search emoji" }).fill("tada");
  await his.getByRole("option", { name: "tada", selected: true }).waitFor();
  await his.keyboard.press("Enter");
  await rowOf(hers, "Soup at noon?").getByRole("button", { name: "tada: 1 (Bob)" }).waitFor();
}

async function edit({ hers, his }: Two) {
  await choose(hers, "Soup at noon?", "Edit");
  const text = hers.getByRole("textbox", { name: "Text of the message" });
  await text.fill("Soup at **one**?");
  await text.press("Control+Enter");
  await rowOf(his, "Soup at one?").getByText("(edited)").waitFor();
}

async function move({ hers, his }: Two) {
  await choose(hers, "Gladly", "Move");
  const dialog = hers.getByRole("dialog", { name: "Move message" });
  await dialog.getByRole("combobox", { name: "Topic" }).fill("dinner");
  await dialog.getByRole("button", { name: "Move" }).click();
  await rowOf(his, "Gladly").waitFor({ state: "detached" });
}

async function mention({ hers, his }: Two) {
  await box(hers).pressSequentially("Look, @Bo");
  await hers.getByRole("option", { name: /Bob/, selected: true }).waitFor();
  await box(hers).press("Enter");
  await box(hers).pressSequentially("it is red");
  await box(hers).press("Control+Enter");
  await rowOf(his, "it is red").locator(".mentioned .user-mention.mine").waitFor();
}

async function upload({ hers, his }: Two) {
  const chosen = his.waitForEvent("filechooser");
  await his.getByRole("button", { name: "Attach files" }).click();
  const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("word for word") };
  await (await chosen).setFiles([notes]);
  await his.waitForFunction(() =>
    document.querySelector("textarea")?.value.includes("](/user_uploads/"),
  );
  await box(his).press("Control+Enter");
  const path = await rowOf(hers, "notes.txt")
    .getByRole("link", { name: "notes.txt" })
    .getAttribute("href");
  const textAt = async (address: string) => (await fetch(address)).text();
  expect(await hers.evaluate(textAt, path ?? "")).toBe("word for word");
}

async function writeDirectly({ hers, his }: Two) {
  await hers.getByRole("button", { name: "New direct message" }).click();
  await hers.getByRole("combobox", { name: "People" }).pressSequentially("Bob");
  await hers.getByRole("option", { name: /Bob/ }).click();
  await send(hers, "Between us");
  await his.locator(".rail").getByRole("link", { name: /Olga/ }).click();
  await rowOf(his, "Between us").waitFor();
  await send(his, "Of course");
  await hers.locator(".rail").getByRole("link", { name: /Bob/ }).click();
  await rowOf(hers, "Of course").waitFor();
}

browserTest("two who sign in by the form talk by the executable alone", async () => {
  const lunch = await topicAt(on, "lunch");
  const two = { hers: await on.open("olga", lunch), his: await on.open("bob", lunch) };
  for (const page of Object.values(two)) expect(page.url()).toBe(`${on.site}/${lunch}`);
  for (const step of [writeAndAnswer, react, edit, move, mention, upload, writeDirectly])
    await step(two);
  expect(on.requests.length).toBeGreaterThan(50);
  expect(on.requests.filter((request) => !request.includes(` ${on.site}/`))).toEqual([]);
  const files = ["chatd", "credentials.json", "data", "organization.yaml"];
  expect(readdirSync(on.folder).sort()).toEqual(files);
});
