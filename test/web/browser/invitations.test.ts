import { afterAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { accept, accountOf, openLink } from "../../support/invitations";
import { linkIn, startRelay } from "../../support/servers/relay";
import { breachesIn } from "../axe";
import { browserTest, origin, stage } from "../browser";

/* The view in which one invites people, and its list of invitations that are open. */

const relay = await startRelay();
const on = stage(relay.flags);
afterAll(() => relay.close());

const listOf = (page: Page) => page.getByRole("region", { name: "Invite people" });
const row = (page: Page, text: string) =>
  listOf(page).getByRole("listitem").filter({ hasText: text });
const mailForm = (page: Page) => page.getByRole("dialog", { name: "Invite by mail" });

/** The link to join in the mail that was sent last. */
async function mailedLink(): Promise<string> {
  await on.world.pass(0);
  await on.world.pass(0);
  const mail = relay.received.splice(0).at(-1);
  if (!mail) throw new Error("no mail has come");
  return new URL(linkIn(mail, "/join/"), origin).href;
}

/** Channels that somebody is in, by their ids. */
async function channelsOf(email: string): Promise<number[]> {
  const { olga } = on.world;
  const account = await accountOf(on.world, email);
  return (await olga.get(`/users/${account?.user_id}/channels`)).body["subscribed_channel_ids"];
}

browserTest("Olga invites somebody by mail, who comes into what she has chosen", async () => {
  const { olga, channels } = on.world;
  await olga.post("/default_streams", { stream_id: channels.general });
  await olga.post("/users/me/subscriptions", { subscriptions: [{ name: "orchard" }] });
  const orchard: number = (await olga.get("/get_stream_id", { stream: "orchard" })).body.stream_id;
  const page = await on.open(olga, "#inbox");
  await page.getByRole("link", { name: "Invite people" }).click();
  await listOf(page).getByText("No open invitations.").waitFor();
  await page.getByRole("button", { name: "Invite by mail" }).click();
  const form = mailForm(page);
  await form.getByLabel("E-mail addresses").fill("nina@example.com");
  await form.getByLabel("Role").selectOption("moderator");
  await form.getByLabel("Valid for").selectOption("forever");
  await form.getByLabel("Add a channel").selectOption("orchard");
  expect(await breachesIn(page, "dialog")).toEqual([]);
  await form.getByRole("button", { name: "Send the invitations" }).click();
  await row(page, "nina@example.com").filter({ hasText: "as moderator · forever" }).waitFor();
  expect(await breachesIn(page)).toEqual([]);
  await accept(on.world, await mailedLink(), { full_name: "Nina" });
  await row(page, "nina@example.com").waitFor({ state: "detached" });
  expect((await accountOf(on.world, "nina@example.com"))?.role).toBe(300);
  const inThem = await channelsOf("nina@example.com");
  expect(inThem.toSorted((one, other) => one - other)).toEqual([channels.general, orchard]);
});

browserTest("addresses that are refused are named, and what was typed stays", async () => {
  const page = await on.open(on.world.olga, "#invitations");
  await page.getByRole("button", { name: "Invite by mail" }).click();
  const addresses = mailForm(page).getByLabel("E-mail addresses");
  await addresses.fill("ivy@example.com\nnot an address");
  const validFor = mailForm(page).getByLabel("Valid for").locator("option:checked");
  await mailForm(page).getByLabel("Valid for").selectOption("forever");
  await mailForm(page).getByRole("button", { name: "Send the invitations" }).click();
  await mailForm(page).getByRole("alert").filter({ hasText: "not an address" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Invite by mail" }).click();
  expect(await addresses.inputValue()).toBe("ivy@example.com\nnot an address");
  expect(await validFor.textContent()).toBe("forever");
  await addresses.fill("ivy@example.com, alice@example.com");
  await mailForm(page).getByRole("button", { name: "Send the invitations" }).click();
  await page.getByText("alice@example.com has an account already.").waitFor();
  await row(page, "ivy@example.com").waitFor();
});

browserTest("an invitation is mailed again, and withdrawn", async () => {
  const { olga } = on.world;
  await olga.post("/invites", { invitee_emails: "rosa@example.com", stream_ids: [] });
  const page = await on.open(olga, "#invitations");
  await row(page, "rosa@example.com").getByRole("button", { name: "Send" }).click();
  await page.getByText("has been sent again").waitFor();
  await on.world.pass(0);
  expect(relay.received.splice(0).map(({ to }) => to)).toContainEqual(["rosa@example.com"]);
  await row(page, "rosa@example.com").getByRole("button", { name: "Withdraw" }).click();
  await row(page, "rosa@example.com").waitFor({ state: "detached" });
  const { body } = await olga.get("/invites");
  expect(JSON.stringify(body)).not.toContain("rosa@example.com");
});

browserTest("a link is made, shown, copied and withdrawn", async () => {
  const { olga } = on.world;
  const page = await on.open(olga, "#invitations");
  await page.getByRole("button", { name: "Make a link" }).click();
  const form = page.getByRole("dialog", { name: "Make a link" });
  await form.getByLabel("Role").selectOption("guest");
  expect(await form.getByLabel("The default channels").isChecked()).toBe(false);
  await form.getByLabel("Add a channel").selectOption("general");
  await form.getByRole("button", { name: "Make the link" }).click();
  const made = page.getByRole("dialog", { name: "Invitation link" });
  const link = await made.getByRole("textbox").inputValue();
  expect(await made.locator("footer").getByRole("button").allTextContents()).toEqual([
    "Close",
    "Copy",
  ]);
  await made.getByRole("button", { name: "Copy" }).click();
  await page.getByText("Copied").waitFor();
  await accept(on.world, link, { email: "gus@example.com" });
  await accept(on.world, await mailedLink(), { full_name: "Gus" });
  expect((await accountOf(on.world, "gus@example.com"))?.role).toBe(600);
  expect(await channelsOf("gus@example.com")).toEqual([on.world.channels.general]);
  await row(page, "as guest").getByRole("button", { name: "Withdraw" }).click();
  await row(page, "as guest").waitFor({ state: "detached" });
  expect((await openLink(on.world, link)).status).toBe(404);
});

browserTest("a member invites with their own rights, and a guest is told to ask", async () => {
  const { bob, greta } = on.world;
  const page = await on.open(bob, "#invitations");
  // Members make no links here, and are told of none.
  await listOf(page).getByText("Invite people by mail.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Invite by mail" }).click();
  const roles = mailForm(page).getByLabel("Role").getByRole("option");
  expect(await roles.allTextContents()).toEqual(["member", "guest"]);
  await page.keyboard.press("Escape");
  expect(await page.getByRole("button", { name: "Make a link" }).count()).toBe(0);
  const guests = await on.open(greta, "#invitations");
  await guests.getByText("You may not invite people here.").waitFor();
  expect(await guests.getByRole("alert").count()).toBe(0);
  expect(await guests.getByRole("button", { name: "Invite by mail" }).count()).toBe(0);
});
