import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { breachesIn } from "../axe";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

/* Settings of a channel that hold for everybody, on its page. */

const on = stage({}, { pagesGoOn: true });

const settingsOf = (page: Page) => page.getByRole("region", { name: "For everybody" });
const rail = (page: Page) => page.locator(".rail nav");

browserTest("Olga renames and describes a channel, which Alice sees at once", async () => {
  const { olga, alice, channels } = on.world;
  const page = await on.open(olga, `#channels/${channels.general}`);
  const hers = await on.open(alice, `#channels/${channels.general}`);
  const name = settingsOf(page).getByLabel("Name", { exact: true });
  await name.fill("plans");
  await settingsOf(page).getByRole("button", { name: "Save: Name" }).click();
  await settingsOf(page).getByText("already").waitFor();
  expect(await name.inputValue()).toBe("plans");
  await name.fill("Olga's hall");
  await settingsOf(page).getByRole("button", { name: "Save: Name" }).click();
  await hers.getByRole("heading", { level: 2, name: "Olga's hall" }).waitFor();
  await settingsOf(page).getByLabel("Description").fill("Where all meet");
  await settingsOf(page).getByRole("button", { name: "Save: Description" }).click();
  await hers.getByText("Where all meet").waitFor();
  await settingsOf(page).getByText(`chatd admin channel update 'Olga'\\''s hall'`).waitFor();
  expect(await breachesIn(page)).toEqual([]);
  // A member sees them, and is offered nothing that the server would refuse.
  expect(await settingsOf(hers).count()).toBe(0);
  await olga.patch(`/streams/${channels.general}`, { new_name: "general" });
  await eventually(async () => expect(await name.inputValue()).toBe("general"));
});

browserTest("a channel is archived after a question, found again and unarchived", async () => {
  const { olga, alice } = on.world;
  const made = { name: "attic", subscribers: [olga.id, alice.id] };
  const id: number = (await olga.post("/channels/create", made)).body.id;
  const page = await on.open(olga, `#channels/${id}`);
  const hers = await on.open(alice, "#channels/all");
  await rail(hers).getByRole("link", { name: "attic" }).waitFor();
  expect(await hers.getByRole("button", { name: "Archived" }).count()).toBe(0);
  await settingsOf(page).getByRole("button", { name: "Archive the channel" }).click();
  const dialog = page.getByRole("dialog", { name: "Archive attic" });
  expect(await breachesIn(page, "dialog")).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await rail(hers).getByRole("link", { name: "attic" }).waitFor();
  await settingsOf(page).getByRole("button", { name: "Archive the channel" }).click();
  await dialog.getByRole("button", { name: "Archive the channel" }).click();
  await page.getByText("This channel is archived").waitFor();
  await rail(hers).getByRole("link", { name: "attic" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "All channels" }).click();
  await page.getByRole("button", { name: "Archived" }).click();
  await page.getByRole("listitem").getByRole("link", { name: "attic" }).click();
  await settingsOf(page).getByRole("button", { name: "Unarchive the channel" }).click();
  await settingsOf(page).getByLabel("Name", { exact: true }).waitFor();
  expect((await olga.get(`/streams/${id}`)).body.stream.is_archived).toBe(false);
  await rail(hers).getByRole("link", { name: "attic" }).waitFor();
});
