import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { breachesIn } from "../axe";
import { browserTest, stage } from "../browser";
import { eventually, until } from "../waiting";

/* People in a channel, on its page: found, added and removed by whoever may. */

const on = stage();

const people = (page: Page) => page.getByRole("region", { name: "People in the channel" });
const row = (page: Page, name: string) =>
  people(page).getByRole("listitem").filter({ hasText: name });

/** A private channel of Alice alone; answers its id. */
async function privateChannel(name: string): Promise<number> {
  const { alice } = on.world;
  const made = { name, subscribers: [alice.id], invite_only: true };
  return (await alice.post("/channels/create", made)).body.id;
}

browserTest("Alice adds people to her private channel, who see it at once", async () => {
  const { alice, bob, carol } = on.world;
  const id = await privateChannel("harvest");
  const his = await on.open(bob, "#inbox");
  const page = await on.open(alice, `#narrow/channel/${id}-harvest`);
  await page.locator(".side").getByRole("link", { name: "Add people" }).click();
  await row(page, "Alice").getByText("you").waitFor();
  expect(await row(page, "Alice").getByRole("button").count()).toBe(0);
  const field = people(page).getByLabel("Find or add people");
  await field.fill("bob");
  expect(await breachesIn(page)).toEqual([]);
  await people(page).getByRole("button", { name: "Add Bob", exact: true }).click();
  await field.fill(carol.email);
  await people(page).getByRole("button", { name: "Add Carol", exact: true }).press("Enter");
  await row(page, "Bob").getByRole("button", { name: "Remove Bob" }).waitFor();
  await row(page, "Carol").waitFor();
  expect(await field.inputValue()).toBe("");
  await until(() => field.evaluate((one) => one === document.activeElement));
  await his.locator(".rail nav").getByRole("link", { name: "harvest" }).waitFor();
  const { body } = await alice.get(`/streams/${id}/members`);
  expect(new Set(body.subscribers)).toEqual(new Set([alice.id, bob.id, carol.id]));
  await field.fill("nobody of that name");
  await people(page).getByText("Nobody has this name.").waitFor();
});

browserTest("somebody who is removed loses the channel, until that is undone", async () => {
  const { alice, bob, olga, channels } = on.world;
  const page = await on.open(olga, `#channels/${channels.general}`);
  const his = await on.open(bob, "#inbox");
  const general = his.locator(".rail nav").getByRole("link", { name: "general" });
  await row(page, "Bob").getByRole("button", { name: "Remove Bob" }).click();
  await row(page, "Bob").waitFor({ state: "detached" });
  await general.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await row(page, "Bob").waitFor();
  await general.waitFor();
  // Members may add people to a public channel, and remove nobody.
  const hers = await on.open(alice, `#channels/${channels.general}`);
  await people(hers).getByLabel("Find or add people").waitFor();
  await row(hers, "Bob").waitFor();
  await eventually(async () =>
    expect(
      await people(hers)
        .getByRole("button", { name: /^Remove/ })
        .count(),
    ).toBe(0),
  );
});

browserTest("an addition that the server does not get is told, and can be repeated", async () => {
  const { alice } = on.world;
  const page = await on.open(alice, `#channels/${await privateChannel("cellar")}`);
  const field = people(page).getByLabel("Find or add people");
  const add = people(page).getByRole("button", { name: "Add Bob", exact: true });
  await field.fill("bob");
  await add.waitFor();
  on.network.cut();
  await add.click();
  await people(page).getByText("Cannot reach the server").waitFor();
  expect(await row(page, "Bob").count()).toBe(0);
  on.network.mend();
  await field.fill("bob");
  await add.click();
  await row(page, "Bob").waitFor();
  on.complaints.splice(0);
});

browserTest("Undo puts somebody back into a channel that was renamed meanwhile", async () => {
  const { alice, bob } = on.world;
  const id = await privateChannel("attic");
  const members = { subscriptions: [{ name: "attic" }], principals: [bob.id] };
  await alice.post("/users/me/subscriptions", members);
  const page = await on.open(alice, `#channels/${id}`);
  await row(page, "Bob").getByRole("button", { name: "Remove Bob" }).dblclick();
  await row(page, "Bob").waitFor({ state: "detached" });
  await alice.patch(`/streams/${id}`, { new_name: "loft" });
  await page.getByRole("heading", { name: "loft" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await row(page, "Bob").waitFor();
  const { body } = await alice.get("/streams");
  expect(body.streams.map(({ name }: { name: string }) => name)).not.toContain("attic");
  await alice.delete(`/streams/${id}`);
  await row(page, "Bob").waitFor();
  await until(async () => (await people(page).getByRole("button").count()) === 0);
});
