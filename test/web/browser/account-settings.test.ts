import { afterAll, expect } from "bun:test";
import { setPassword } from "../../../src/management/accounts/update";
import { Browser } from "../../support/browser";
import { goodPassword } from "../../support/invitations";
import { linkIn, startRelay } from "../../support/servers/relay";
import { worldHost } from "../../support/world";
import { browserTest, origin, stage } from "../browser";
import { until } from "../waiting";

/* The section of the settings with one's address, password, sessions and API key; mail is sent. */

const relay = await startRelay();
const on = stage(relay.flags);
afterAll(() => relay.close());

browserTest("a new address is told as asked for, and becomes one's own by its link", async () => {
  const { bob } = on.world;
  const page = await on.open(bob, "#settings/account");
  const form = page.locator("form[name=email]");
  await form.getByLabel("New address").fill("robert@example.com");
  await form.getByLabel("Current password").fill(goodPassword);
  await form.getByRole("button").click();
  await form.getByText("A link was sent to robert@example.com. Until you open it").waitFor();
  await page.getByText("bob@example.com", { exact: true }).waitFor();
  await on.world.pass(0);
  await on.world.pass(0);
  const mail = relay.received.at(-1);
  if (!mail) throw new Error("no mail has come");
  const link = new URL(linkIn(mail, "/account/address/"), origin).href;
  const other = await on.newTab(bob);
  await other.goto(link);
  await other.locator("main form button, form button").first().click();
  await page.getByText("robert@example.com", { exact: true }).waitFor();
});

browserTest("a new password takes ended sessions and the API key from the page", async () => {
  const { alice, operator } = on.world;
  await setPassword(operator, alice.id, goodPassword);
  const page = await on.open(alice, "#settings/account");
  const jar = new Browser(on.world.site, worldHost);
  const asked = { email: alice.email, password: goodPassword };
  expect((await jar.submit("/login", asked)).status).toBe(303);
  await page.reload();
  const list = page.getByRole("list", { name: "Where you are signed in" });
  const other = list.getByRole("button", { name: /Sign out/ });
  await other.waitFor();
  const key = page.locator("form[name=key]");
  await key.getByLabel("Current password").fill(goodPassword);
  await key.getByRole("button").click();
  await page.getByText("A new API key.").waitFor();
  const form = page.locator("form[name=password]");
  await form.getByLabel("Current password").fill(goodPassword);
  await form.getByLabel("New password").fill("another-horse-battery");
  await form.getByRole("button").click();
  await form.getByText("Your other browsers are signed out").waitFor();
  await other.waitFor({ state: "detached" });
  await list.getByText("this browser").waitFor();
  await until(async () => (await page.getByText("A new API key.").count()) === 0);
});
