import { expect } from "bun:test";
import { filesOf, upload } from "../../support/files";
import { breachesIn } from "../axe";
import { browserTest, stage } from "../browser";

const on = stage({ upload_quota_mib: "5" });

browserTest("Alice sees her files, where they are used, and deletes one", async () => {
  const { alice, bob } = on.world;
  const plan = await upload(alice, "plan <b>.txt", "x".repeat(3_000));
  await upload(alice, "unused.txt", "y");
  const messageId = await alice.say("general", "plans", `[plan](${plan})`);
  await bob.say("general", "elsewhere", `[her plan](${plan})`);
  const page = await on.open(alice, "#files");
  const line = (name: string) => page.locator(".kept li").filter({ hasText: name });
  await line("plan <b>.txt").getByRole("link", { name: "In general › plans" }).waitFor();
  await line("plan <b>.txt").getByText("2.9 KiB").waitFor();
  await line("unused.txt").getByText("No message links to it.").waitFor();
  await page
    .getByText("Your files use 2.9 KiB. The organization's files use 2.9 KiB of 5 MiB.")
    .waitFor();
  expect(await breachesIn(page)).toEqual([]);
  await upload(alice, "while it is open.txt");
  await line("while it is open.txt").waitFor();
  const names = () => page.locator(".kept li .name").allTextContents();
  expect(await names()).toEqual(["while it is open.txt", "unused.txt", "plan <b>.txt"]);
  await page.getByLabel("Order of the files").selectOption("Largest first");
  await page.locator(".kept li:first-child").getByText("plan <b>.txt").waitFor();
  await page.getByLabel("Filter files by name").fill("PLAN");
  await line("unused.txt").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete: plan" }).click();
  const dialog = page.getByRole("dialog");
  expect(await breachesIn(page, "dialog")).toEqual([]);
  await dialog.getByText(/Links to it in 2 messages will stop working/).waitFor();
  await page.keyboard.press("Escape");
  expect((await filesOf(alice)).attachments).toHaveLength(3);
  await page.getByRole("button", { name: "Delete: plan" }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await line("plan <b>.txt").waitFor({ state: "detached" });
  // Until it is closed nothing else on the page can be typed into.
  await dialog.waitFor({ state: "detached" });
  expect((await filesOf(alice)).attachments).toHaveLength(2);
  await page.getByLabel("Filter files by name").fill("");
  await line("unused.txt").waitFor();
  expect(messageId).toBeGreaterThan(0);
});
