import { expect } from "bun:test";
import { firstOwner, firstRealm } from "../../../src/moving/organization/first-start";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

/* Steps that the inbox shows after the first start of a server. */

const on = stage();

browserTest("the owner of a first start names the organization and themselves", async () => {
  const { olga, alice } = on.world;
  const steps = (await on.open(olga, "#inbox")).getByRole("region", { name: /^Welcome to/ });
  await steps.getByText("Invite somebody").waitFor();
  expect(await steps.getByText("Name your organization").count()).toBe(0);
  await olga.patch("/realm", { name: firstRealm.name });
  await olga.patch("/settings", { full_name: firstOwner.name });
  const organization = steps.getByLabel("Name of the organization", { exact: true });
  await organization.fill(" Lighthouse ");
  await organization.press("Enter");
  await organization.waitFor({ state: "detached" });
  expect((await alice.register()).state.realm_name).toBe("Lighthouse");
  const name = steps.getByLabel("Your name", { exact: true });
  await name.fill("Mira Lund");
  await steps.getByRole("button", { name: "Save: Your name" }).click();
  await name.waitFor({ state: "detached" });
  await eventually(async () =>
    expect((await alice.get(`/users/${olga.id}`)).body.user.full_name).toBe("Mira Lund"),
  );
});

browserTest("who has the made-up address is told to choose one, also with a name", async () => {
  const { olga, adam } = on.world;
  const page = await on.open(adam, "#inbox");
  const change = async (changes: { new_email?: string; full_name?: string }) =>
    expect((await olga.patch(`/users/${adam.id}`, changes)).status).toBe(200);
  await change({ new_email: firstOwner.email, full_name: firstOwner.name });
  const steps = page.getByRole("region", { name: /^Welcome to/ });
  const name = steps.getByLabel("Your name", { exact: true });
  await name.waitFor();
  await change({ full_name: "Mira Lund" });
  await name.waitFor({ state: "detached" });
  await steps.getByText("Choose a password and an address").waitFor();
  await steps.getByRole("link", { name: "Your account" }).click();
  await page.getByText(firstOwner.email).waitFor();
  await page.goBack();
  await steps.getByText("Choose a password and an address").waitFor();
  await change({ new_email: adam.email });
  await steps.getByText("Choose a password and an address").waitFor({ state: "detached" });
});

browserTest("a name that is sent by two presses of Enter is sent once", async () => {
  const { olga } = on.world;
  await olga.patch("/realm", { name: firstRealm.name });
  const page = await on.open(olga, "#inbox");
  const field = page.getByLabel("Name of the organization", { exact: true });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let changes = 0;
  await page.route("**/api/v1/realm", async (route) => {
    changes += 1;
    await held;
    await route.continue();
  });
  await field.fill("مصنع");
  expect(await field.evaluate((input) => getComputedStyle(input).direction)).toBe("rtl");
  await field.press("Enter");
  await field.press("Enter");
  // A request that the second press has sent would leave the page before this one.
  await page.evaluate(async () => void (await fetch("/api/v1/server_settings")));
  expect(changes).toBe(1);
  letGo();
  await field.waitFor({ state: "detached" });
});

browserTest("a link is made once, and who has done the steps hides them for good", async () => {
  const { adam } = on.world;
  const page = await on.open(adam, "#inbox");
  const steps = page.getByRole("region", { name: /^Welcome to/ });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const make = steps.getByRole("button", { name: "Make a link" });
  await make.waitFor();
  on.network.hold();
  await make.click();
  await make.click();
  on.network.mend();
  await steps.getByLabel("Invitation link").waitFor();
  expect(asked.filter((url) => url.endsWith("/invites/multiuse"))).toHaveLength(1);
  await steps.getByRole("button", { name: "Hide the list" }).click();
  await steps.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  await page.reload();
  await page.locator(".shell[data-whole=true]").waitFor();
  expect(await steps.count()).toBe(0);
});
