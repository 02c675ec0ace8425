import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { breachesIn } from "../axe";
import { browserTest, stage } from "../browser";
import { eventually, until } from "../waiting";

/* Roles and accounts of others, for administrators: in the settings, and on people's cards. */

const on = stage({}, { pagesGoOn: true });

const people = (page: Page) =>
  page.locator("section.part", {
    has: page.getByRole("heading", { name: "People and their roles" }),
  });
const row = (page: Page, name: string) =>
  people(page).getByRole("listitem").filter({ hasText: name });
const button = (page: Page, name: string) =>
  people(page).getByRole("button", { name, exact: true });
const roleOf = async (id: number) => (await on.world.olga.get(`/users/${id}`)).body.user.role;

browserTest("Olga makes Bob a moderator and a member again, which Adam sees at once", async () => {
  const { olga, adam, bob } = on.world;
  const page = await on.open(olga, "#settings/organization");
  const his = await on.open(adam, "#settings/organization");
  await people(page).getByLabel("Find people").fill("bob");
  await people(page).getByText("1 person").waitFor();
  await button(page, "Change the role of Bob").click();
  const dialog = page.getByRole("dialog", { name: "Role of Bob" });
  await until(() => dialog.getByRole("radio", { name: "Member" }).isChecked());
  expect(await breachesIn(page, "dialog")).toEqual([]);
  await dialog.getByRole("radio", { name: "Member" }).press("ArrowUp");
  await until(() => dialog.getByRole("radio", { name: "Moderator" }).isChecked());
  await dialog.getByRole("button", { name: "Change the role" }).click();
  await page.getByText("New role of Bob: Moderator").waitFor();
  await row(page, "Bob").getByText("moderator").waitFor();
  await row(his, "Bob").getByText("moderator").waitFor();
  expect(await roleOf(bob.id)).toBe(300);
  expect(await breachesIn(page)).toEqual([]);
  await button(page, "Change the role of Bob").click();
  await dialog.getByRole("radio", { name: "Guest" }).check();
  await dialog.getByText("They can join only these").waitFor();
  await adam.patch(`/users/${bob.id}`, { role: 400 });
  await dialog.getByText("Somebody else has changed this meanwhile. Now it is: Member").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await row(page, "Bob").getByText("member").waitFor();
});

browserTest(
  "an administrator is offered nothing that only owners do, and the only owner stays",
  async () => {
    const { olga, adam, carol } = on.world;
    const his = await on.open(adam, "#settings/organization");
    await row(his, "Olga").waitFor();
    expect(await row(his, "Olga").getByRole("button").count()).toBe(0);
    await button(his, "Change the role of Carol").click();
    const dialog = his.getByRole("dialog", { name: "Role of Carol" });
    expect(await dialog.getByRole("radio", { name: "Owner" }).isDisabled()).toBe(true);
    await dialog.getByText("Only owners make others owners").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    const page = await on.open(olga, "#settings/organization");
    await button(page, "Change the role of Olga").click();
    const own = page.getByRole("dialog", { name: "Role of Olga" });
    await own.getByText("make somebody else an owner first").waitFor();
    expect(await own.getByRole("radio", { name: "Guest" }).isDisabled()).toBe(true);
    // As soon as there is another owner, she may.
    await olga.patch(`/users/${carol.id}`, { role: 100 });
    await own.getByRole("radio", { name: "Administrator" }).check();
    await own.getByText("This is your own account").waitFor();
    await own.getByRole("button", { name: "Cancel" }).click();
    await olga.patch(`/users/${carol.id}`, { role: 400 });
    expect(await row(page, "Olga").getByRole("button").count()).toBe(1);
  },
);

browserTest("Bob's account ends after a question, with his bot, and comes back", async () => {
  const { olga, bob, mona } = on.world;
  await bob.post("/bots", { full_name: "Baker", short_name: "baker" });
  const page = await on.open(olga, "#settings/organization");
  await button(page, "Deactivate Bob").click();
  const dialog = page.getByRole("dialog", { name: "Deactivate Bob" });
  await dialog.getByText("This deactivates one bot too").waitFor();
  expect(await breachesIn(page, "dialog")).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await olga.get(`/users/${bob.id}`)).body.user.is_active).toBe(true);
  await button(page, "Deactivate Bob").click();
  await dialog.getByRole("button", { name: "Deactivate", exact: true }).click();
  await row(page, "Bob").waitFor({ state: "detached" });
  expect((await bob.get("/users/me")).status).toBe(401);
  await button(page, "Deactivated").click();
  await button(page, "Reactivate Bob").click();
  const back = page.getByRole("dialog", { name: "Reactivate Bob" });
  await back.getByRole("button", { name: "Reactivate", exact: true }).click();
  await page.getByText("The account of Bob is active again").waitFor();
  await row(page, "Bob").waitFor({ state: "detached" });
  expect((await bob.get("/users/me")).status).toBe(200);
  expect((await mona.get(`/users/${bob.id}`)).body.user.is_active).toBe(true);
});

browserTest(
  "who loses the right while the page is open is refused in words, and keeps nothing",
  async () => {
    const { olga, adam, alice } = on.world;
    const his = await on.open(adam, "#settings/organization");
    await button(his, "Change the role of Alice").click();
    const dialog = his.getByRole("dialog", { name: "Role of Alice" });
    await dialog.getByRole("radio", { name: "Moderator" }).check();
    await olga.patch(`/users/${adam.id}`, { role: 400 });
    await people(his).waitFor({ state: "detached" });
    await until(() => dialog.getByRole("radio", { name: "Moderator" }).isDisabled());
    await dialog.getByRole("button", { name: "Change the role" }).click();
    await dialog.getByText("You do not have permission to manage this account").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await roleOf(alice.id)).toBe(400);
    await olga.patch(`/users/${adam.id}`, { role: 200 });
    await people(his).waitFor();
  },
);

browserTest(
  "a card changes a role and ends an account, and offers neither to members",
  async () => {
    const { olga, alice, carol, channels } = on.world;
    await carol.say("general", "cards", "Here I am");
    const page = await on.open(olga, `#narrow/channel/${channels.general}/topic/cards`);
    const openCard = async (one: Page) => {
      await one.getByRole("article").filter({ hasText: "Here I am" }).first().focus();
      await one.keyboard.press("u");
      await one.getByRole("dialog", { name: "Carol" }).waitFor();
    };
    await openCard(page);
    await page.getByRole("button", { name: "Change role" }).click();
    const dialog = page.getByRole("dialog", { name: "Role of Carol" });
    await dialog.getByRole("radio", { name: "Administrator" }).check();
    await dialog.getByRole("button", { name: "Change the role" }).click();
    await page.getByText("New role of Carol: Administrator").waitFor();
    await olga.patch(`/users/${carol.id}`, { role: 400 });
    await openCard(page);
    await page.getByRole("button", { name: "Deactivate" }).press("Enter");
    const end = page.getByRole("dialog", { name: "Deactivate Carol" });
    await end.getByRole("button", { name: "Cancel" }).click();
    const hers = await on.open(alice, `#narrow/channel/${channels.general}/topic/cards`);
    await openCard(hers);
    await hers.getByRole("button", { name: "Copy mention" }).waitFor();
    expect(await hers.getByRole("button", { name: /Change role|Deactivate/ }).count()).toBe(0);
  },
);

browserTest("a card says why a bot does not come back before its owner", async () => {
  const { olga, carol, channels } = on.world;
  const { body } = await carol.post("/bots", { full_name: "Kettle", short_name: "kettle" });
  await carol.say("general", "bots", `Made by @**Kettle|${body.user_id}**`);
  await olga.delete(`/users/${carol.id}`);
  const page = await on.open(olga, `#narrow/channel/${channels.general}/topic/bots`);
  await page.getByRole("article").getByText("@Kettle").click();
  const card = page.getByRole("dialog", { name: "Kettle" });
  await card.getByText("Carol is deactivated, too: reactivate their account first.").waitFor();
  expect(await card.getByRole("button", { name: "Reactivate" }).count()).toBe(0);
  expect(await breachesIn(page, ".card")).toEqual([]);
  expect((await olga.post(`/users/${carol.id}/reactivate`)).status).toBe(200);
  await card.getByRole("button", { name: "Reactivate" }).waitFor();
});

browserTest(
  "of many people the first ones are drawn, more on demand, and all are found",
  async () => {
    const { olga } = on.world;
    const password = "correct-horse-battery";
    const long = "Hubert Blaine Wolfeschlegelsteinhausenbergerdorff the elder";
    for (let number = 10; number < 40; number += 1) {
      const whom = {
        email: `weaver${number}@example.com`,
        full_name: `Weaver ${number}`,
        password,
      };
      expect((await olga.post("/users", whom)).status).toBe(200);
    }
    await olga.post("/users", { email: "hubert@example.com", full_name: long, password });
    const page = await on.open(olga, "#settings/organization");
    await row(page, "Alice").waitFor();
    expect(await people(page).getByRole("listitem").count()).toBe(20);
    await people(page).getByLabel("Find people").fill("weaver39@");
    await row(page, "Weaver 39").waitFor();
    expect(await people(page).getByRole("listitem").count()).toBe(1);
    await page.setViewportSize({ width: 320, height: 640 });
    await people(page).getByLabel("Find people").fill("hubert");
    await row(page, long).waitFor();
    await eventually(async () =>
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0),
    );
    await people(page).getByLabel("Find people").fill("nobody of that name");
    await people(page).getByText("There is nobody of this name here.").waitFor();
  },
);
