import { expect } from "bun:test";
import { browserTest, stage } from "../browser";

/* The view in which one invites people, at a server that sends no mail. */

const on = stage();

browserTest(
  "an invitation of an address is not offered to be sent again without mail",
  async () => {
    const { olga } = on.world;
    const page = await on.open(olga, "#invitations");
    const list = page.getByRole("region", { name: "Invite people" });
    await list.getByText("No open invitations.").waitFor();
    expect(await list.getByText("by mail").count()).toBe(0);
    await olga.post("/invites", { invitee_emails: "rosa@example.com", stream_ids: [] });
    const row = list.getByRole("listitem").filter({ hasText: "rosa@example.com" });
    await row.getByRole("button", { name: "Withdraw" }).waitFor();
    // A new link, of which nobody would hear, would end the one that Rosa was given.
    expect(await row.getByRole("button", { name: "Send again" }).count()).toBe(0);
    await row.getByRole("button", { name: "Withdraw" }).click();
    await row.waitFor({ state: "detached" });
  },
);

browserTest(
  "who may invite by mail alone is told to ask, and led nowhere, without mail",
  async () => {
    const page = await on.open(on.world.bob, "#invitations");
    await page.getByText("You may not invite people here.").waitFor();
    expect(await page.getByRole("link", { name: "Invite people" }).count()).toBe(0);
  },
);
