import { expect } from "bun:test";
import { breachesIn } from "../axe";
import { browserTest, stage } from "../browser";

/* The section of the settings about the organization. */

const on = stage();

browserTest("Adam names and describes the organization, which Alice sees at once", async () => {
  const { adam, alice, olga } = on.world;
  const page = await on.open(adam, "#settings/organization");
  const hers = await on.open(alice, "#settings/organization");
  await page.getByLabel("Name of the organization").fill("Orchard");
  await page.getByRole("button", { name: "Save: Name of the organization" }).click();
  await hers.locator(".rail").getByText("Orchard").waitFor();
  await page.getByLabel("Description").fill("We grow apples.");
  await page.getByRole("button", { name: "Save: Description" }).click();
  await hers.getByText("We grow apples.").waitFor();
  expect((await olga.get("/server_settings")).body.realm_name).toBe("Orchard");
  await page.getByText("chatd admin user login-link NAME@EXAMPLE.COM").waitFor();
  expect(await breachesIn(page)).toEqual([]);
  expect(await breachesIn(hers)).toEqual([]);
});

browserTest("a member changes nothing there, and is led to the people who may", async () => {
  const { bob, olga } = on.world;
  const page = await on.open(bob, "#settings/organization");
  const list = page.locator("section", {
    has: page.getByRole("heading", { name: "Administrators and owners" }),
  });
  await list.last().getByRole("listitem").filter({ hasText: "Olga" }).getByText("owner").waitFor();
  expect(await page.locator("main").getByRole("textbox").count()).toBe(0);
  expect(await page.getByText("chatd admin").count()).toBe(0);
  await list.last().getByRole("link", { name: "Olga" }).click();
  await page.waitForURL(new RegExp(`#narrow/dm/${olga.id}`));
});

browserTest("who may change everything is not told to ask for it", async () => {
  const { adam, bob } = on.world;
  const help = "Ask them for what you may not do yourself.";
  const his = await on.open(bob, "#settings/organization");
  await his.getByText(help).waitFor();
  const page = await on.open(adam, "#settings/organization");
  await page.getByLabel("Name of the organization").waitFor();
  expect(await page.getByText(help).count()).toBe(0);
});
