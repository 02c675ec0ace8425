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
