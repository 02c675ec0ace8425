import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { breachesIn } from "../axe";
import { box, browserTest, stage, topicIn } from "../browser";
import { eventually } from "../waiting";

const on = stage();

/** Opens the menu of a message. */
async function openMenu(page: Page, text: string): Promise<void> {
  const row = page.getByRole("article").filter({ hasText: text });
  await row.hover();
  await row.getByRole("button", { name: "More" }).click();
}

browserTest("Alice forwards what Bob has said, by a key and by the menu, to Carol", async () => {
  const { alice, bob, carol } = on.world;
  await bob.say("general", "source", "A plan\n```quote\nwith a quotation\n```");
  const page = await on.open(alice, topicIn(on, "source"));
  await page.getByRole("article").filter({ hasText: "A plan" }).click();
  await page.keyboard.press("<");
  await page.getByLabel("Channel").waitFor();
  await page.getByRole("button", { name: "Write to people" }).click();
  await page.getByRole("combobox", { name: "People" }).fill("Carol");
  await page.keyboard.press("Enter");
  const text = await box(page).inputValue();
  expect(text).toContain("````quote\nA plan\n```quote\nwith a quotation\n```\n````");
  expect(text).toStartWith(`@_**Bob|${bob.id}** [said](http`);
  await box(page).press("Control+Enter");
  const hers = await on.open(carol, `#narrow/dm/${alice.id}-Alice`);
  const forwarded = hers.getByRole("article").filter({ hasText: "A plan" });
  await forwarded.getByRole("link", { name: "said" }).click();
  await hers.waitForURL(/near/);
  await openMenu(page, "A plan");
  await page.getByRole("menuitem", { name: "Forward" }).click();
  await page.getByLabel("Channel").waitFor();
  await box(page).fill("");
});

browserTest("a message is reported to moderators, where they have a channel", async () => {
  const { alice, bob, olga, mona } = on.world;
  await bob.say("general", "reported", "Buy these pills");
  const page = await on.open(alice, topicIn(on, "reported"));
  await openMenu(page, "pills");
  await eventually(async () =>
    expect(await page.getByRole("menuitem", { name: "Report to moderators" }).count()).toBe(0),
  );
  await page.keyboard.press("Escape");
  const made = await olga.post("/users/me/subscriptions", {
    subscriptions: [{ name: "reports" }],
    invite_only: true,
    principals: [olga.id, mona.id],
  });
  expect(made.status).toBe(200);
  const { body } = await olga.get("/get_stream_id", { stream: "reports" });
  const heard = page.waitForResponse(async (response) =>
    (await response.text().catch(() => "")).includes("moderation_request_channel_id"),
  );
  const set = await olga.patch("/realm", { moderation_request_channel_id: body.stream_id });
  expect(set.status).toBe(200);
  await heard;
  await openMenu(page, "pills");
  await page.getByRole("menuitem", { name: "Report to moderators" }).click();
  expect(await breachesIn(page, "dialog")).toEqual([]);
  await page.getByLabel("Other reason").check();
  await page.getByRole("button", { name: "Report", exact: true }).click();
  // Another reason is one that has to be told.
  await eventually(async () => expect(await page.getByRole("dialog").count()).toBe(1));
  await page.getByLabel("Spam").check();
  await page.getByLabel("What is wrong? (optional)").fill("Advertisement");
  await page.getByRole("button", { name: "Report", exact: true }).click();
  await page.getByText("The moderators have been told.").waitFor();
  const hers = await on.open(mona, `#narrow/channel/${body.stream_id}-reports`);
  const told = hers.getByRole("article").filter({ hasText: "Advertisement" });
  await told.getByText("Buy these pills").waitFor();
});
